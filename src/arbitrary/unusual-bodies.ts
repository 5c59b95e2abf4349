import fc, { type Arbitrary } from 'fast-check';
import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, isJsonNumber, type JsonObject, type JsonValue } from '../json/value.ts';
import { editCases, valuePlaces } from './edit-cases.ts';
import { judgeValue } from './from-schema.ts';
import { letters } from './plain-text.ts';
import { nullValues } from './invalid-bodies.ts';
import {
  type BodyEdit,
  isIdPlace,
  type PlainBody,
  plainContent,
  plainTokens,
  put,
  putNumber,
} from './plain-body.ts';
import { type Body, type Cases, isText, joinParts, lateExamples, noCases } from './request-case.ts';
import { repeatItem } from './shrink-value.ts';

const endsOfInt64 = ['0', '9223372036854775807', '-9223372036854775808'];

/**
 * Returns valid bodies whose id is zero or an end of int64. A service that reads null or nothing as zero can accept it
 * only once in the life of its store. Therefore these are best sent last.
 */
export function endKeys(body: PlainBody): Cases<Body> {
  const { key } = body;
  if (key?.isNumber !== true) return { examples: [], arbitrary: undefined };
  const edits = endsOfInt64.map((text) => [putNumber(key.pointer, text)]);
  return editCases({ body, wanted: 'valid', edits, random: 'none', most: edits.length });
}

/** The numbers of items to try: none, and more than limits usually allow. */
const counts = [0, 10, 101, 1_001, 33];

/** Returns valid bodies in which one list is empty, or longer than usual. */
export function extremeLists(body: PlainBody): Cases<Body> {
  const lists = valuePlaces(body.fullest).flatMap(({ at, value }) =>
    Array.isArray(value) ? [{ at, item: value[0] }] : [],
  );
  function* edits(): Generator<readonly BodyEdit[]> {
    for (const count of counts) {
      for (const { at, item } of lists) {
        yield* item === undefined ? [] : repeatItem(item, count).map((list) => [put(at, [...list])]);
      }
    }
  }
  return editCases({ body, wanted: 'valid', edits: edits(), random: 'none' });
}

/** The limits of 32-bit numbers, doubles and 64-bit numbers, and their neighbors. */
const ends = (
  '0 -1 2147483647 2147483648 4294967296 -2147483648 -2147483649 ' +
  '-9007199254740992 9007199254740991 9007199254740992 9007199254740993 -9007199254740993 9223372036854775807 -9223372036854775808'
).split(' ');
/** Numbers whose digits a careless reader loses. */
const fractions = ['0.1', '1.5', '-0.5', '3.141592653589793238', '1e-7', '123456789.123456789'];

/** Returns valid bodies with one unusual number; an id is drawn from a class of them when the request is sent. */
export function extremeNumbers(body: PlainBody): Cases<Body> {
  const { key } = body;
  const places = valuePlaces(body.fullest)
    .filter(({ at, value }) => isJsonNumber(value) && !isIdPlace(body, at))
    .map(({ at }) => at);
  const unusual = key?.isNumber === true ? [...key.classes].filter(([name]) => name !== 'plain') : [];
  const ofKey = unusual.map(([name, value]) => [
    put(key?.pointer ?? '', value, [{ slot: 0, class: name, variant: 'itself' }]),
  ]);
  const edits = [
    ...ofKey,
    ...[...ends, ...fractions].flatMap((text) => places.map((at) => [putNumber(at, text)])),
  ];
  const anyNumber = fc.oneof(
    fc.integer().map(String),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    fc.tuple(fc.integer(), fc.nat(999_999)).map(([whole, fraction]) => `${whole}.${fraction}1`),
  );
  const choices: Arbitrary<readonly BodyEdit[]>[] = [
    ...(ofKey.length === 0 ? [] : [fc.constantFrom(...ofKey)]),
    ...(places.length === 0
      ? []
      : [fc.tuple(fc.constantFrom(...places), anyNumber).map(([at, text]) => [putNumber(at, text)])]),
  ];
  return editCases({
    body,
    wanted: 'valid',
    edits,
    random: choices.length === 0 ? undefined : fc.oneof(...choices),
  });
}

/** Deeper than the defaults of careful readers: 64 in .NET, 100 in Ruby; 512 in PHP, 1,000 in Python and Jackson. */
const depths = [100, 1_100];

/** The maximum number of examples with a null, which leaves room for other shapes among the cases of a run. */
const mostNulls = 30;

function nested(levels: number): JsonValue {
  let value: JsonValue = 'deep';
  for (let level = 0; level < levels; level += 1) {
    value = level % 2 === 0 ? [value] : { deep: value };
  }
  return value;
}

/** Properties that no schema declares; the first are typical of clients of a later version. */
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

/** Writes the characters of a quoted text as escapes (RFC 8259 §7). */
function escapeLetters(token: string): string {
  const text: unknown = JSON.parse(token);
  const escapes = [...String(text)].map((character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
  return `"${escapes.join('')}"`;
}

/** Returns the same body in other spellings, one change at a time. */
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
 * Returns valid bodies of an unusual shape: undeclared properties, null if it is allowed, members in another order,
 * escaped keys and texts, white space between the tokens.
 */
export function extremeShapes(body: PlainBody): Cases<Body> {
  const isObject = isJsonObject(body.fullest);
  const extra = (name: string, value: JsonValue) => [put(appendPointer('', name), value)];
  const random: Arbitrary<readonly BodyEdit[]> = fc
    .tuple(fc.string({ unit: 'grapheme-ascii', maxLength: 12 }), fc.jsonValue({ maxDepth: 4 }))
    // `as`: a JSON value of fast-check is one of ours.
    .map(([name, value]) => extra(`extra${name}`, value as JsonValue));
  const added = editCases({
    body,
    wanted: 'valid',
    edits: isObject ? extras.map(([name, value]) => extra(name, value)) : [],
    random,
  });
  // Allowed by `nullable` of OpenAPI 3.0, the type `null` of 3.1, or a list with null. A fresh id is never null.
  const nullEdits = nullValues(body).filter(({ at }) => at !== body.key?.pointer);
  const nulls = editCases({ body, wanted: 'valid', edits: nullEdits.map((edit) => [edit]) });
  const other = isObject ? [plainContent(body, reversed(body.fullest))] : [];
  const space = fc
    .array(fc.constantFrom('', ' ', '\n', '\t', '\r'), { maxLength: 3 })
    .map((list) => list.join(''));
  const spaced = fc
    .tuple(body.arbitrary, fc.array(space, { minLength: 1, maxLength: 20 }))
    .map(([value, list]) =>
      joinParts(plainTokens(body, value).flatMap((token, index) => [list[index % list.length] ?? '', token])),
    );
  const [spelled, ...others] = spellings(plainTokens(body)).map((tokens) => joinParts(tokens));
  const [first = spelled] = other;
  if (first === undefined || spelled === undefined) return noCases;
  return lateExamples({
    first,
    mostExamples: 100,
    makeExamples: () => [
      ...other,
      spelled,
      ...others,
      ...nulls.examples.slice(0, mostNulls),
      ...added.examples,
    ],
    arbitrary: fc.oneof(
      { arbitrary: spaced, weight: 4 },
      ...(added.arbitrary === undefined ? [] : [{ arbitrary: added.arbitrary, weight: 4 }]),
      ...(nulls.arbitrary === undefined ? [] : [{ arbitrary: nulls.arbitrary, weight: 1 }]),
    ),
  });
}

/** The longer a text, the less likely is an equal one. */
const lengths = [20, 16, 12, 8, 6];

/** Generates random letters of both cases. fast-check would prefer texts such as `__proto__`, which repeat. */
function canary(length: number): Arbitrary<string> {
  const unbiased = fc.noBias(fc.array(fc.constantFrom(...letters), { minLength: length, maxLength: length }));
  return unbiased.map((made) => {
    const text = made.join('');
    return text.slice(0, 1).toLowerCase() + text.slice(1, -1) + text.slice(-1).toUpperCase();
  });
}

/** Returns how long a canary text of a property may be; undefined if the schema does not allow one. */
function roomFor(body: PlainBody, base: JsonObject, name: string): number | undefined {
  return lengths.find(
    (length) =>
      judgeValue(body.schema, { ...base, [name]: `q${'w'.repeat(length - 2)}Z` }) === 'valid' &&
      judgeValue(body.schema, { ...base, [name]: `b${'x'.repeat(length - 2)}K` }) === 'valid',
  );
}

/**
 * Generates lists of `howMany` plain bodies with distinguishable texts: every property that accepts any text contains
 * random letters. Optional properties are sometimes left out, because that may reveal a text of another request.
 * Returns undefined if no property accepts any text.
 */
export function canaryBodies(body: PlainBody, howMany: number): Arbitrary<readonly JsonObject[]> | undefined {
  const { fullest, smallest, key } = body;
  if (!isJsonObject(fullest) || !isJsonObject(smallest)) return undefined;
  const rooms = Object.keys(fullest).flatMap((name) => {
    const length =
      name === key?.property || typeof fullest[name] !== 'string' ? undefined : roomFor(body, fullest, name);
    return length === undefined ? [] : [{ name, length }];
  });
  if (rooms.length === 0) return undefined;
  const texts = fc.tuple(...rooms.map(({ length }) => canary(length)));
  const one = fc.tuple(texts, fc.boolean()).map(([made, isFull]): JsonObject => {
    const base = isFull ? fullest : smallest;
    const members = rooms.flatMap(({ name }, index) =>
      Object.hasOwn(base, name) ? [[name, made[index] ?? ''] as const] : [],
    );
    return { ...base, ...Object.fromEntries(members) };
  });
  return fc.array(one, { minLength: howMany, maxLength: howMany, size: 'max' });
}
