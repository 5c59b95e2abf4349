import fc from 'fast-check';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { joinParts } from './join-parts.ts';
import { jsonTokens } from './json-tokens.ts';
import { judgeValue } from './judge-value.ts';
import { plainKey } from './key-slot.ts';
import type { PlainBody } from './plain-body.ts';
import { plainTokens } from './plain-tokens.ts';

const deep = 200;

function nestedArrays(levels: number): JsonValue {
  let value: JsonValue = [];
  for (let level = 1; level < levels; level += 1) {
    value = [value];
  }
  return value;
}

/** An object as the list of its pairs: whoever makes a map of whatever a map can be made of takes it for one. */
function pairTokens({ fullest, key }: PlainBody): Body {
  const pairs = isJsonObject(fullest) ? Object.entries(fullest) : [];
  const at = pairs.findIndex(([name]) => name === key?.property);
  return joinParts(jsonTokens(pairs, new Map([[`/${at}/1`, [plainKey]]])));
}

/**
 * Whole bodies of a type that the schema does not allow; a valid body in an array is among them, and one as the
 * list of its pairs.
 */
export function otherBodyTypes(body: PlainBody): Cases<Body> {
  const isInvalid = (value: JsonValue): boolean => judgeValue(body.schema, value) === 'invalid';
  const tokensOf = (value: JsonValue): Body => plainTokens(body, value);
  const wrapped = (value: JsonValue): Body => joinParts(['[', ...tokensOf(value), ']']);
  const values: readonly JsonValue[] = [
    null,
    [],
    {},
    true,
    false,
    0,
    1,
    -1,
    1.5,
    '',
    'text',
    [null],
    [{}],
    [[]],
    nestedArrays(deep),
  ];
  const literals = values.filter(isInvalid).map((value) => tokensOf(value));
  const inArray = isInvalid([body.fullest]) ? [wrapped(body.fullest)] : [];
  const inObject = isInvalid({ body: body.fullest })
    ? [joinParts(['{"body":', ...tokensOf(body.fullest), '}'])]
    : [];
  const isPairs = isJsonObject(body.fullest) && isInvalid(Object.entries(body.fullest));
  const inPairs = isPairs ? [pairTokens(body)] : [];
  const examples = [...literals.slice(0, 2), ...inArray, ...inObject, ...inPairs, ...literals.slice(2)].map(
    (tokens) => joinParts(tokens),
  );
  const [first] = examples;
  if (first === undefined) {
    return { examples, arbitrary: undefined };
  }
  const other = fc
    .jsonValue({ maxDepth: 3 })
    // `as`: what fast-check calls a JSON value is one of ours.
    .map((value) => value as JsonValue)
    // An object that happens to have the key would send a key that was generated.
    .map((value) => (isInvalid(value) && !isJsonObject(value) ? joinParts(tokensOf(value)) : first));
  const arrays = body.arbitrary.map((value) => (isInvalid([value]) ? wrapped(value) : first));
  const levels = fc
    .integer({ min: 1, max: deep })
    .map((count) => joinParts(['['.repeat(count), ']'.repeat(count)]));
  const choices = isInvalid([]) && isInvalid([[]]) ? [other, arrays, levels] : [other, arrays];
  return { examples, arbitrary: fc.oneof(...choices) };
}
