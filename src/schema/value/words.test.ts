import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { compileSchema } from '../compile.ts';
import { loadWords } from './words.ts';
import { generateValue } from './sample-value.ts';

const now = Date.parse('2026-05-05T12:00:00Z');
const valueFromNames = await loadWords(() => now);
const text = { type: 'string' };
const person = expect.stringMatching(/^\p{Lu}[\p{L}']+ \p{Lu}[\p{L}']+$/u);
const words = expect.stringMatching(/^\p{L}[\w\s-]+$/u);
const sentence = expect.stringMatching(/ .+\.$/u);
const phone = expect.stringMatching(/^\+1-\d{3}-555-01\d\d$/u);
const url = expect.stringMatching(/^https:\/\/example\.com\/[a-z\d-]+$/u);

test.each<[string, JsonObject, unknown]>([
  ['customerName', text, person],
  ['owner_name', text, person],
  ['users/name', text, person],
  ['products/name', text, expect.stringMatching(/^\w+ \w+ \w+$/u)],
  ['companies/name', text, words],
  ['name', text, words],
  ['firstName', text, expect.stringMatching(/^\p{Lu}/u)],
  ['email', text, expect.stringMatching(/^[a-z-]+\.[a-z-]+@example\.com$/u)],
  ['contact', { ...text, format: 'email' }, expect.stringContaining('@example.com')],
  ['city', text, expect.stringMatching(/^\p{Lu}/u)],
  ['street', text, expect.stringMatching(/^\d+ /u)],
  ['zip_code', text, expect.stringMatching(/^\d{5}$/u)],
  ['country', text, expect.stringMatching(/^\p{Lu}\p{L}/u)],
  ['country', { ...text, maxLength: 2 }, expect.stringMatching(/^[A-Z]{2}$/u)],
  ['countryCode', text, expect.stringMatching(/^[A-Z]{2}$/u)],
  ['currency', text, expect.stringMatching(/^[A-Z]{3}$/u)],
  ['phoneNumber', text, phone],
  ['phone', { ...text, pattern: '^\\+[1-9]\\d{1,14}$' }, expect.stringMatching(/^\+1\d{10}$/u)],
  ['website', text, url],
  ['homepage', { ...text, format: 'uri' }, url],
  ['avatarUrl', { ...text, format: 'uri' }, expect.stringMatching(/^https:.+\.jpg$/u)],
  ['title', text, words],
  ['description', text, sentence],
  ['description', { ...text, maxLength: 20 }, expect.stringMatching(/^.{3,20}$/u)],
  ['color', text, expect.stringMatching(/^[a-z ]+$/u)],
  ['color', { ...text, pattern: '^#[0-9a-f]{6}$' }, expect.stringMatching(/^#/u)],
  ['birthDate', { ...text, format: 'date' }, expect.stringMatching(/^(?:19|200)\d+-\d\d-\d\d$/u)],
  ['createdAt', { ...text, format: 'date-time' }, expect.stringMatching(/^202[56]-.+T.+Z$/u)],
  ['dueDate', { ...text, format: 'date' }, expect.stringMatching(/^2026-0[567]-/u)],
  ['price', { type: 'number' }, expect.closeTo(100, -3)],
  ['latitude', { type: 'number' }, expect.closeTo(0, -2)],
  ['age', { type: 'integer', minimum: 18, maximum: 20 }, expect.closeTo(19, -1)],
  ['quantity', { type: 'integer', multipleOf: 500 }, 500],
  ['anything', { type: 'integer', minimum: 9000, maximum: 9001 }, expect.closeTo(9000, -1)],
  ['deleted', { type: 'boolean' }, false],
  ['verified', { type: 'boolean' }, true],
  ['status', { ...text, enum: ['sold'] }, 'sold'],
  ['reading', text, undefined],
  ['email', { ...text, pattern: '^\\d+$' }, undefined],
  ['email', { ...text, not: {} }, undefined],
  ['customer', { type: 'object' }, undefined],
])('makes up what is called %s, of %j', (name, schema, made) => {
  expect(valueFromNames(name.split('/'), schema, 'a seed')).toEqual(made);
});

test('leaves no placeholder of a template in a text', () => {
  const names = ['name', 'description', 'title', 'summary', 'company', 'address', 'bio', 'city', 'job'];
  for (const around of ['products', 'companies', 'people', 'things']) {
    for (let seed = 0; seed < 50; seed += 1) {
      const made = names.map((name) => valueFromNames([around, name], text, String(seed)));
      expect(JSON.stringify(made)).not.toMatch(/\{\{|undefined/u);
    }
  }
});

test('makes the same of the same seed, and something else of another', () => {
  const make = (seed: string): unknown => valueFromNames(['users', 'name'], text, seed);
  expect(make('1')).toBe(make('1'));
  const many = Array.from({ length: 100 }, (_, seed) => make(String(seed)));
  expect(new Set(many).size).toBeGreaterThan(95);
});

test('gives one person one name', () => {
  const properties = { firstName: text, lastName: text, name: text, email: text };
  const made = generateValue(
    { type: 'object', properties },
    {
      valueFromNames,
      names: ['users'],
      seed: '1',
      without: 'writeOnly',
    },
  ) as Record<keyof typeof properties, string>; // As its schema says.
  expect(made.name).toBe(`${made.firstName} ${made.lastName}`);
  expect(made.email).toBe(`${made.firstName}.${made.lastName}@example.com`.toLowerCase());
});

test('comes to an end where schemas hold each other', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`node${index}`, { $ref: '#/$defs/Node' }]),
  );
  const node = { type: 'object', properties: { ...properties, name: text } };
  const made = generateValue(
    { $ref: '#/$defs/Node', $defs: { Node: node } },
    { valueFromNames, names: [], seed: '1', without: 'writeOnly' },
  );
  expect(JSON.stringify(made).length).toBeLessThan(50_000);
});

const names = fc.constantFrom(
  ...'name email city street zip country phone url title description createdAt dueDate price currency color id tags'.split(
    ' ',
  ),
);
const texts = fc.record(
  {
    type: fc.constant('string'),
    format: fc.constantFrom(
      ...'date date-time time email hostname ipv4 ipv6 uri uuid byte duration regex uri-template phone'.split(
        ' ',
      ),
    ),
    minLength: fc.nat(30),
    maxLength: fc.integer({ min: 30, max: 60 }),
    pattern: fc.constantFrom('^[a-z]+$', '^\\d+$', '^.{2,8}$', '^[A-Z]'),
  },
  { requiredKeys: ['type'] },
);
const numbers = fc.record(
  {
    type: fc.constantFrom('integer', 'number'),
    minimum: fc.integer({ min: -1000, max: 1000 }),
    exclusiveMaximum: fc.integer({ min: 1002, max: 5000 }),
    multipleOf: fc.constantFrom(1, 7, 0.5, 0.01),
  },
  { requiredKeys: ['type'] },
);
const lists = fc.record({
  type: fc.constant('array'),
  items: fc.oneof(texts, numbers),
  minItems: fc.nat(2),
});

test('makes up nothing that its schema does not take', () => {
  let count = 0;
  const properties = fc.dictionary(names, fc.oneof(texts, numbers, lists), { minKeys: 1 });
  fc.assert(
    fc.property(properties, fc.string(), (declared, seed) => {
      for (const [name, schema] of Object.entries<JsonObject>(declared)) {
        const validate = compileSchema({ schema, pointer: '' }).validator({
          formats: 'assert',
          integers: 'by-value',
        });
        const value: JsonValue | undefined = valueFromNames([name], schema, seed);
        count += value === undefined ? 0 : 1;
        const problems = value === undefined ? [] : validate(value, false);
        expect(problems, `${name}: ${JSON.stringify(value)}`).toEqual([]);
      }
    }),
  );
  expect(count).toBeGreaterThan(50);
});
