import fc, { type Arbitrary } from 'fast-check';
import { isJsonObject } from '../json/is-json-object.ts';
import { appendPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { allowedNullBodies } from './allowed-nulls.ts';
import type { Body } from './body.ts';
import type { BodyEdit } from './body-edit.ts';
import type { Cases } from './cases.ts';
import { editCases } from './edit-cases.ts';
import { joinParts } from './join-parts.ts';
import type { PlainBody } from './plain-body.ts';
import { plainTokens } from './plain-tokens.ts';

/** Past what careful readers allow by themselves: 64 in .NET, 100 in Ruby; 512 in PHP, 1,000 in Python and Jackson. */
const depths = [100, 1_100];

/** The most examples with a null, so that the other shapes keep their place among a run's cases. */
const mostNulls = 30;

function nested(levels: number): JsonValue {
  let value: JsonValue = 'deep';
  for (let level = 0; level < levels; level += 1) {
    value = level % 2 === 0 ? [value] : { deep: value };
  }
  return value;
}

/** Properties that no schema declares; the first ones are what clients of a later version would send. */
const extras: readonly (readonly [name: string, value: JsonValue])[] = [
  ['extra', 'text'],
  ['extra', 1],
  ['extra', true],
  ['extra', null],
  ['extra', []],
  ['extra', {}],
  ['extra', { inner: [1, 'two', { three: null }] }],
  ['__proto__', { polluted: true }],
  ['__proto__', null],
  ['constructor', { prototype: { polluted: true } }],
  ['toString', 'text'],
  ['hasOwnProperty', true],
  ['length', 1],
  ['', 'text'],
  ['ünïcödé 😀', 'text'],
  ['a.b', 'text'],
  ['$ref', '#/nowhere'],
  ['extra', 'a'.repeat(1000)],
  ...depths.map((levels) => ['extra', nested(levels)] as const),
];

/** One character of a text in quotes, from its second on, as an escape (RFC 8259 §7). */
function escapeLetters(token: string): string {
  const text: unknown = JSON.parse(token);
  const escapes = [...String(text)].map((character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
  return `"${escapes.join('')}"`;
}

function isText(part: Body[number] | undefined): part is string {
  return typeof part === 'string' && part.startsWith('"');
}

/** The same body spelled otherwise, one way at a time. */
function spellings(tokens: Body): readonly Body[] {
  const keys = tokens.flatMap((token, index) => (isText(token) && tokens[index + 1] === ':' ? [index] : []));
  const texts = tokens.flatMap((token, index) => (isText(token) && tokens[index + 1] !== ':' ? [index] : []));
  const escaped = [keys.slice(0, 1), keys, texts.slice(0, 1), texts].map((chosen) =>
    tokens.map((token, index) => (isText(token) && chosen.includes(index) ? escapeLetters(token) : token)),
  );
  const spaced = [' ', '\n', '\t', '\r\n', ' '.repeat(1000)].map((space) => [
    space,
    ...tokens.flatMap((token) => [token, space]),
  ]);
  return [...spaced.slice(0, 1), ...escaped, ...spaced.slice(1)];
}

function reversed(value: JsonValue): JsonValue {
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).toReversed()) : value;
}

/**
 * Valid bodies of an unusual shape: properties that nobody declared, null where it is allowed, members in
 * another order, escaped keys and texts, white space between the tokens.
 */
export function extremeShapes(body: PlainBody): Cases<Body> {
  const isObject = isJsonObject(body.fullest);
  const extra = (name: string, value: JsonValue): readonly BodyEdit[] => [
    { kind: 'put', at: appendPointer('', name), value },
  ];
  const random: Arbitrary<readonly BodyEdit[]> = fc
    .tuple(fc.string({ unit: 'grapheme-ascii', maxLength: 12 }), fc.jsonValue({ maxDepth: 4 }))
    // `as`: what fast-check calls a JSON value is one of ours.
    .map(([name, value]) => extra(`extra${name}`, value as JsonValue));
  const added = editCases({
    body,
    wanted: 'valid',
    edits: isObject ? extras.map(([name, value]) => extra(name, value)) : [],
    random,
  });
  const nulls = allowedNullBodies(body);
  const tokensOf = (value: JsonValue): Body => plainTokens(body, value);
  const other = isObject ? [joinParts(tokensOf(reversed(body.fullest)))] : [];
  const space = fc
    .array(fc.constantFrom('', ' ', '\n', '\t', '\r'), { maxLength: 3 })
    .map((list) => list.join(''));
  const spaced = fc
    .tuple(body.arbitrary, fc.array(space, { minLength: 1, maxLength: 20 }))
    .map(([value, list]) =>
      joinParts(tokensOf(value).flatMap((token, index) => [list[index % list.length] ?? '', token])),
    );
  return {
    examples: [
      ...other,
      ...spellings(plainTokens(body)).map((tokens) => joinParts(tokens)),
      ...nulls.examples.slice(0, mostNulls),
      ...added.examples,
    ],
    arbitrary: fc.oneof(
      { arbitrary: spaced, weight: 4 },
      ...(added.arbitrary === undefined ? [] : [{ arbitrary: added.arbitrary, weight: 4 }]),
      ...(nulls.arbitrary === undefined ? [] : [{ arbitrary: nulls.arbitrary, weight: 1 }]),
    ),
  };
}
