import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainBodyOf } from '../../fixtures/plain-body-of.ts';
import { decodeUtf8 } from '../http/bytes.ts';
import { parseJson } from '../json/parse.ts';
import { resolvePointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { ambiguousBodies } from './ambiguous-bodies.ts';
import { judgeValue, type ValueVerdict } from './from-schema.ts';
import {
  combinedFaultBodies,
  missingPropertyBodies,
  nullValueBodies,
  outOfBoundsBodies,
  wrongTypeBodies,
} from './invalid-bodies.ts';
import { jsonExtensions } from './json-corpus.ts';
import { brokenBytes, brokenStructures, notJsonTexts, truncatedTexts } from './malformed-bodies.ts';
import { otherBodyTypes, otherNotations } from './media-types.ts';
import { plainBodies, type PlainBody } from './plain-body.ts';
import type { Body, Cases, KeyPlaceholder } from './request-case.ts';
import { renderBody } from './request.ts';
import { endKeys, extremeNumbers, extremeShapes } from './unusual-bodies.ts';
import { extremeStrings } from './unusual-strings.ts';

const small = plainBodyOf({
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' }, tag: { type: 'string' } },
});
const large = plainBodyOf({
  type: 'object',
  required: ['id', 'lines', 'customer', 'status'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', minLength: 1 },
    status: { enum: ['open', 'closed'] },
    paid: { type: 'boolean' },
    note: { type: ['string', 'null'], maxLength: 40 },
    total: { type: 'number', minimum: 0 },
    customer: {
      type: 'object',
      required: ['email'],
      properties: {
        email: { type: 'string', format: 'email' },
        code: { type: 'string', pattern: '^[A-Z]{3}$' },
      },
    },
    lines: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: {
        type: 'object',
        required: ['amount'],
        properties: { amount: { type: 'integer', minimum: 1, maximum: 99 } },
      },
    },
  },
});
const bodies = [
  ['a small body', small],
  ['a large body', large],
] as const;

function keyText(body: PlainBody, slot: KeyPlaceholder): string {
  return stringifyJson(body.key?.classes.get(slot.class) ?? 0);
}

function textOf(body: PlainBody, parts: Body): string | undefined {
  return decodeUtf8(renderBody(parts, (slot) => keyText(body, slot)));
}

function verdictOf(body: PlainBody, parts: Body): ValueVerdict | 'malformed' {
  const text = textOf(body, parts);
  const json = text === undefined ? undefined : parseJson(text, { maxDepth: 10_000 });
  return json?.kind === 'json' ? judgeValue(body.schema, json.value) : 'malformed';
}

function all(cases: Cases<Body>): readonly Body[] {
  return [
    ...cases.examples,
    ...(cases.arbitrary ? fc.sample(cases.arbitrary, { seed: 5, numRuns: 150 }) : []),
  ];
}

const generators = [
  ['plain', plainBodies, 'valid'],
  ['extreme texts', extremeStrings, 'valid'],
  ['extreme numbers', extremeNumbers, 'valid'],
  ['extreme shapes', extremeShapes, 'valid'],
  ['missing properties', missingPropertyBodies, 'invalid'],
  ['wrong types', wrongTypeBodies, 'invalid'],
  ['nulls', nullValueBodies, 'invalid'],
  ['other body types', otherBodyTypes, 'invalid'],
  ['values out of bounds', outOfBoundsBodies, 'invalid'],
  ['combined faults', combinedFaultBodies, 'invalid'],
  ['truncated texts', truncatedTexts, 'malformed'],
  ['texts that are no JSON', notJsonTexts, 'malformed'],
  ['broken structures', brokenStructures, 'malformed'],
  ['extensions of JSON', jsonExtensions, 'malformed'],
  ['broken bytes', brokenBytes, 'malformed'],
] as const satisfies readonly (readonly [string, (body: PlainBody) => Cases<Body>, string])[];

const table = generators.flatMap(([name, generate, verdict]) =>
  bodies.map(([title, body]) => ({ name, generate, verdict, title, body })),
);

test.each(table)('$name of $title are all $verdict', ({ generate, verdict, body }) => {
  const made = all(generate(body));
  expect(
    made.filter((parts) => verdictOf(body, parts) !== verdict).map((parts) => textOf(body, parts)),
  ).toEqual([]);
});

test.each(table)(
  '$name of $title have examples, each of them once, and leave room for random ones',
  ({ name, generate, title, body }) => {
    const { examples } = generate(body);
    const isOpen = title === 'a small body' && name === 'values out of bounds';
    expect(examples.length).toBeGreaterThanOrEqual(isOpen ? 0 : 2);
    expect(examples.length).toBeLessThanOrEqual(name === 'extreme texts' ? 80 : 60);
    expect(new Set(examples.map((parts) => JSON.stringify(parts))).size).toBe(examples.length);
  },
);

test.each(table)('$name of $title are the same under the same seed', ({ generate, body }) => {
  expect(all(generate(body))).toEqual(all(generate(body)));
});

test('a key stands in its slot in plain bodies, whatever its type', () => {
  const slot: KeyPlaceholder = { slot: 0, class: 'plain', variant: 'itself' };
  for (const [, body] of bodies) {
    expect(
      all(plainBodies(body)).filter(
        (parts) => !parts.some((part) => JSON.stringify(part) === JSON.stringify(slot)),
      ),
    ).toEqual([]);
  }
});

test('a valid body is tried that is deeper than what careful readers allow', () => {
  const texts = extremeShapes(small).examples.map((parts) => textOf(small, parts));
  expect(texts.some((text) => text?.includes('{"deep":['.repeat(550)))).toBe(true);
});

test('a body as the list of its pairs is among those of another type, its key in its slot', () => {
  const texts = otherBodyTypes(small).examples.filter((parts) =>
    parts.some((part) => typeof part === 'object'),
  );
  expect(texts.map((parts) => textOf(small, parts))).toContainEqual(
    expect.stringMatching(/^\[\["id",\d+\],\["name","\w+"\],\["tag","\w+"\]\]$/u),
  );
});

test.each(['utf-16le', 'utf-16be'] as const)(
  'a body in %s says what a plain one says, with a drawn key',
  (encoding) => {
    const slot: KeyPlaceholder = { slot: 0, class: 'plain', variant: 'itself', encoding };
    const body = brokenBytes(small).examples.find((parts) =>
      parts.some((part) => JSON.stringify(part) === JSON.stringify(slot)),
    );
    const text = new TextDecoder(encoding).decode(renderBody(body ?? [], () => '4711'));
    expect(JSON.parse(text)).toEqual({ ...Object(small.fullest), id: 4711 });
  },
);

test('a text that ends too early may still hold its key', () => {
  const cut = truncatedTexts(small).examples.map((parts) => textOf(small, parts));
  expect(cut).toContainEqual(expect.stringMatching(/^\{"id":\d+,.*"\w+":"\w+$/u));
});

test('zero and the ends of int64 are sent as keys where the key is a number, and as nothing else', () => {
  expect(
    endKeys(small).examples.map((parts) => /"id":(-?\d+)/u.exec(textOf(small, parts) ?? '')?.[1]),
  ).toEqual(['0', '9223372036854775807', '-9223372036854775808']);
});

test('a body in another notation holds its key and is no JSON', () => {
  const { examples } = otherNotations(small);
  expect(examples.map((parts) => verdictOf(small, parts))).toEqual(['malformed', 'malformed', 'malformed']);
  expect(examples.every((parts) => parts.some((part) => typeof part === 'object'))).toBe(true);
});

test('an id with a pattern is drawn from the texts of the pattern', () => {
  const body = plainBodyOf({
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string', pattern: '^[A-Z]{2}\\d$' } },
  });
  expect([...(body.key?.classes ?? [])]).toEqual([['plain', expect.stringMatching(/^[A-Z]{2}\d$/u)]]);
  expect(all(plainBodies(body)).filter((parts) => verdictOf(body, parts) !== 'valid')).toEqual([]);
});

test('numbers of every class are tried for a key without bounds, and only those that its schema allows', () => {
  expect([...(small.key?.classes.keys() ?? [])]).toEqual([
    'plain',
    'negative',
    'past-int32',
    'past-double',
    'near-int64-max',
    'near-int64-min',
  ]);
  const bounded = plainBodyOf({
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer', format: 'int32', minimum: 1 } },
  });
  expect([...(bounded.key?.classes.keys() ?? [])]).toEqual(['plain']);
});

test.each([
  ['a text', { type: 'string', minLength: 1 }, 'keyabcdef'],
  ['a text of digits', { type: 'string', pattern: '^[0-9]{1,19}$' }, '1073741831'],
  ['a UUID', { type: 'string', format: 'uuid' }, '00000000-0000-4000-8000-000040000007'],
  ['an integer', { type: 'integer', format: 'int32', minimum: 1 }, 1_073_741_831],
])('a key that a schema of the components says to be %s is drawn', (_title, id, key) => {
  const body = plainBodyOf(
    { type: 'object', required: ['id'], properties: { id: { $ref: '#/components/schemas/Id' } } },
    { Id: id },
  );
  expect([...(body.key?.classes ?? [])]).toEqual([['plain', key]]);
});

function texts(cases: Cases<Body>, body = small): readonly (string | undefined)[] {
  return cases.examples.map((parts) => textOf(body, parts));
}

test('each required property is missing once, at every depth', () => {
  const missing = texts(missingPropertyBodies(large), large);
  const lines = resolvePointer(large.fullest, '/lines');
  const count = Array.isArray(lines) ? lines.length : 0;
  expect(count).toBeGreaterThan(0);
  // A line has no property but the required amount; four are required at the top, and one of the customer.
  expect(missing.filter((text) => text?.includes('{}'))).toHaveLength(count);
  expect(missing).toHaveLength(5 + count);
});

test.each([
  ['in quotes', '"id":"1073741831"'],
  ['with a fraction', '"id":1073741831.5'],
])('a key %s is drawn fresh', (_title, fragment) => {
  const found = wrongTypeBodies(small).examples.find((parts) => textOf(small, parts)?.includes(fragment));
  expect(found).toContainEqual({ slot: 0, class: 'plain', variant: 'itself' });
});

test.each([
  ['the empty text', '"name":""'],
  ['padding', '"name":" padded "'],
  ['NUL', String.raw`"name":"a\u0000b"`],
  ['what is not ASCII', '"name":"é"'],
  ['64 KiB', 'a'.repeat(65_536)],
])('%s is among the extreme texts', (_title, fragment) => {
  expect(texts(extremeStrings(small)).some((text) => text?.includes(fragment))).toBe(true);
});

test.each([
  ['a body in an array', '[{"id":'],
  ['null', 'null'],
  ['an empty array', '[]'],
])('%s is among the other body types', (_title, start) => {
  expect(texts(otherBodyTypes(small)).some((text) => text?.startsWith(start))).toBe(true);
});

test.each([
  ['an escaped key', String.raw`"\u006e\u0061\u006d\u0065"`],
  ['__proto__', '"__proto__":{'],
  ['white space', '{ "id" : '],
])('%s is among the extreme shapes', (_title, fragment) => {
  expect(texts(extremeShapes(small)).some((text) => text?.includes(fragment))).toBe(true);
});

test.each([
  ['an integer with a fraction', '"id":1073741831.0,'],
  ['an integer with an exponent', '"id":1073741831e0,'],
  ['a number past 64 bits', '"id":9223372036854775808,'],
  ['a key that stands twice', '"name":"other","id":'],
  ['a lone surrogate', String.raw`"\ud800"`],
  ['a byte order mark', '\uFEFF{'],
])('%s is among the ambiguous bodies', (_title, fragment) => {
  expect(texts(ambiguousBodies(small)).some((text) => text?.includes(fragment))).toBe(true);
});

test('values at both sides of a bound are told apart', () => {
  const written = texts(outOfBoundsBodies(large), large).map(
    (text) => /"amount":(-?[\d.]+)/u.exec(text ?? '')?.[1],
  );
  expect(written).toEqual(expect.arrayContaining(['0', '100']));
  expect(written).not.toContain('99.0');
});

test('a body that fails shrinks to the smallest that fails', () => {
  const arbitrary = extremeStrings(small).arbitrary ?? fc.constant([]);
  const outcome = fc.check(
    fc.property(arbitrary, (parts) => !/\P{ASCII}/u.test(textOf(small, parts) ?? '')),
    { seed: 2, numRuns: 500 },
  );
  const [smallest] = outcome.counterexample ?? [[]];
  expect(outcome.failed).toBe(true);
  expect(textOf(small, smallest)?.length).toBeLessThan(45);
});
