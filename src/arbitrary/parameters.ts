import fc from 'fast-check';
import { findInvalidParameters } from '../contract/check-parameters.ts';
import type { Operation } from '../contract/contract.ts';
import { findIfMatch } from '../contract/request-facts.ts';
import { type Parameter, type ParameterSource, toParameterSource } from '../contract/read-parameters.ts';
import { isSafeMethod } from '../http/message.ts';
import type { JsonValue } from '../json/value.ts';
import { holdsKnownValue } from '../schema/known-place.ts';
import { meetsUncheckedPattern } from '../schema/pattern.ts';
import { schemasAt, schemaTypes } from '../schema/walk.ts';
import { judgeValue } from './from-schema.ts';
import { valuesOutside } from './invalid-bodies.ts';
import { type Cases, lateExamples, noCases, type ParameterTexts } from './request-case.ts';
import { canTravel, knownItem, parameterTexts, type PlainParameter, plainRequest } from './request.ts';
import { serializeParameter } from './serialize-parameter.ts';
import { extremeText } from './unusual-strings.ts';

const mostExamples = 60;
/** The maximum length of values. URLs and header fields of a few thousand bytes are rejected for their length alone. */
const longest = 1000;

const texts = [
  'text',
  '',
  'a b',
  'a/b',
  'a&b=c',
  'a+b',
  'a%b',
  'é',
  '😀',
  ' padded ',
  '"',
  "'",
  '\u0000',
  'a'.repeat(longest),
];
const others: readonly JsonValue[] = [
  'text',
  1.5,
  true,
  -1,
  0,
  '',
  'null',
  '1e2',
  '0x10',
  ' ',
  '1 2',
  '9223372036854775808',
];

function sourceOf(parameters: ParameterTexts): ParameterSource {
  const of = (place: Parameter['in']) =>
    [...parameters].filter(([parameter, text]) => parameter.in === place && text !== undefined);
  const textsIn = (place: Parameter['in']) => of(place).map(([, text]) => text);
  return toParameterSource({
    target: `/?${[...textsIn('query'), ...textsIn('querystring')].join('&')}`,
    path: Object.fromEntries(of('path').map(([{ name }, text]) => [name, text ?? ''])),
    header: (wanted) =>
      wanted === 'cookie'
        ? textsIn('cookie').join('; ')
        : of('header').find(([{ name }]) => name.toLowerCase() === wanted)?.[1],
  });
}

function invalidNames(operation: Operation, changed: ParameterTexts, formats: 'assert' | 'ignore'): number {
  const source = sourceOf(parameterTexts(operation, changed));
  return findInvalidParameters(operation.parameters, source, { formats, integers: 'by-value' }).length;
}

function change(parameter: Parameter, values: readonly JsonValue[]): readonly ParameterTexts[] {
  const serialized = [...new Set(values.map((value) => serializeParameter(parameter, value)))];
  return serialized.filter((text) => canTravel(parameter, text)).map((text) => new Map([[parameter, text]]));
}

/** Returns misspelled names of an item, which a lenient reader may accept for that item. */
function misspellItem(parameter: Parameter): readonly ParameterTexts[] {
  const own = `{${parameter.name}}`;
  return [`${own}text`, `${own}.1`].map((text) => new Map([[parameter, text]]));
}

function boundValues({ parameter, values }: PlainParameter): readonly JsonValue[] {
  return valuesOutside(values.fullest, schemasAt(parameter.schema?.schema ?? true, ''));
}

/** Returns whether a service must accept a value if its schema does, which is unknown of values besides known ones. */
function maySend({ schema }: Parameter, value: JsonValue): boolean {
  return schema?.known === undefined || judgeValue(schema, value) !== 'ambiguous';
}

/** Returns requests with valid parameters: with and without optional ones, and with unusual texts. */
export function validParameters(operation: Operation): Cases<ParameterTexts> {
  // Any other item is not found, which proves nothing. Known ones exist, but only their own parents contain them.
  const areKnown =
    isSafeMethod(operation.method) && operation.items.every((item) => knownItem(operation, item));
  const items = new Set(areKnown ? [] : operation.items.map(({ parameter }) => parameter));
  const parameters = plainRequest(operation).parameters.filter(
    ({ parameter }) => parameter.in !== 'path' || !items.has(parameter.name),
  );
  const isValid = (changed: ParameterTexts): boolean => {
    let invalid = 0;
    const isUnsure = meetsUncheckedPattern(() => {
      invalid = invalidNames(operation, changed, 'assert');
    });
    return invalid === 0 && !isUnsure;
  };
  // A random If-Match is refused whatever else the request has.
  const match = findIfMatch(operation);
  const fullest: ParameterTexts = new Map(
    parameters.map(({ parameter, values: { smallest, fullest } }) => [
      parameter,
      serializeParameter(parameter, parameter === match ? smallest : fullest),
    ]),
  );
  function* candidates(): Generator<ParameterTexts> {
    yield new Map();
    for (const { parameter, values } of parameters) {
      yield* change(parameter, [values.smallest, values.fullest]);
    }
    yield fullest;
    for (const plain of parameters) {
      const unusual = [...texts, ...boundValues(plain)];
      yield* change(
        plain.parameter,
        unusual.filter((value) => maySend(plain.parameter, value)),
      );
    }
  }
  if (parameters.length === 0) return noCases;
  const all = parameters.map(({ parameter, values }) => {
    const types = schemaTypes(parameter.schema?.schema ?? true);
    const extremes =
      (types.has('string') || types.size === 0) && !holdsKnownValue(parameter.schema, values.smallest, '')
        ? [extremeText().filter((text) => text.length <= longest)]
        : [];
    const value =
      parameter === match
        ? fc.constant(values.smallest)
        : fc.oneof<fc.Arbitrary<JsonValue>[]>(values.arbitrary, ...extremes);
    const text = value
      .map((one) => serializeParameter(parameter, one))
      .map((one) => (canTravel(parameter, one) ? one : undefined));
    const plain = serializeParameter(parameter, values.smallest);
    return (parameter.required ? text.map((one) => one ?? plain) : fc.option(text, { nil: undefined })).map(
      (one): readonly [Parameter, string | undefined] => [parameter, one],
    );
  });
  const arbitrary = fc.tuple(...all).map((list): ParameterTexts => {
    const made = new Map(list);
    return isValid(made) ? made : new Map();
  });
  const [first] = takeFirst(candidates(), isValid, 1);
  if (first === undefined) return noCases;
  const makeExamples = (): readonly ParameterTexts[] => takeFirst(candidates(), isValid, mostExamples);
  return lateExamples({ first, mostExamples, makeExamples, arbitrary });
}

function takeFirst<Item>(items: Iterable<Item>, isWanted: (item: Item) => boolean, most: number): Item[] {
  const found: Item[] = [];
  for (const item of items) {
    if (found.length >= most) break;
    if (isWanted(item)) found.push(item);
  }
  return found;
}

/** Returns requests with one invalid or missing parameter. */
export function invalidParameters(operation: Operation): Cases<ParameterTexts> {
  const { parameters } = plainRequest(operation);
  const items = new Set(operation.items.map(({ parameter }) => parameter));
  const isInvalid = (changed: ParameterTexts): boolean => {
    const filled = [...changed].map(
      ([parameter, text]) => [parameter, text?.replace(`{${parameter.name}}`, '1')] as const,
    );
    return invalidNames(operation, new Map(filled), 'ignore') > 0;
  };
  const missing = parameters
    .filter(({ parameter }) => parameter.required && parameter.in !== 'path')
    .map(({ parameter }): ParameterTexts => new Map([[parameter, undefined]]));
  const wrong = parameters.flatMap((plain) => {
    const isItem = plain.parameter.in === 'path' && items.has(plain.parameter.name);
    const own = isItem ? misspellItem(plain.parameter) : [];
    // A lenient service may read 0x10 as 16, the item of another client, which a changing request must not reach.
    const isHarmless = !isItem || isSafeMethod(operation.method);
    const values = isHarmless ? [...others, ...boundValues(plain)] : ['text', 'null'];
    return [...own, ...change(plain.parameter, values)];
  });
  const all = [...missing, ...wrong];
  const [first] = takeFirst(all, isInvalid, 1);
  if (first === undefined) return noCases;
  let made: readonly ParameterTexts[] | undefined;
  const makeAll = (): readonly ParameterTexts[] => (made ??= takeFirst(all, isInvalid, mostExamples + 1));
  return {
    get examples() {
      return makeAll().slice(0, mostExamples);
    },
    first: () => first,
    mostExamples,
    mayBeRandom: true,
    get arbitrary() {
      return makeAll().length <= mostExamples
        ? undefined
        : fc.constantFrom(...all).map((changed) => (isInvalid(changed) ? changed : first));
    },
  };
}
