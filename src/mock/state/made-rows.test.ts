import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';
import type { MockOptions } from '../mock.ts';
import type { StateRows } from './rows.ts';

const name: JsonObject = { type: 'string' };

/** The rows that are made up for a collection of such bodies. */
async function rowsOf(input: {
  readonly body: JsonObject;
  readonly answer?: JsonObject;
  readonly example?: JsonObject;
  readonly options?: MockOptions;
}): Promise<StateRows[string]> {
  const { body, answer = body, example, options } = input;
  const media = { schema: body, ...(example === undefined ? {} : { example }) };
  const mock = await createMock(
    contractOf({
      paths: {
        '/orders': {
          post: {
            requestBody: { required: true, content: { 'application/json': media } },
            responses: {
              '201': { description: 'created', content: { 'application/json': { schema: answer } } },
            },
          },
        },
      },
    }),
    { dataCount: 5, ...options },
  );
  return (await mock.state.export())['/orders'] ?? [];
}

function objectOf(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', required: Object.keys(properties), properties, ...more };
}

function textOf(rows: StateRows[string]): string {
  // `as`: rows are JSON.
  return stringifyJson(rows as unknown as JsonValue);
}

test('keys count from 1, and texts look like what they are called', async () => {
  const rows = await rowsOf({
    body: objectOf({ id: { type: 'integer' }, customerName: name, meterReading: name }),
  });
  expect(rows).toEqual(
    [1, 2, 3, 4, 5].map((number) => ({
      id: number,
      customerName: expect.stringMatching(/^\p{Lu}\S+ \p{Lu}\S+$/u),
      meterReading: `Meter reading ${number}`,
    })),
  );
  expect(new Set(rows.map((row) => row['customerName'])).size).toBe(5);
});

test('the same seed makes the same rows, another one others', async () => {
  const body = objectOf({ id: { type: 'integer' }, amount: { type: 'integer' }, name });
  const [one, same, other] = await Promise.all(
    [7, 7, 8].map(async (seed) => textOf(await rowsOf({ body, options: { seed } }))),
  );
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

test('one example of a property is that of one row', async () => {
  const body = objectOf({ email: { type: 'string', format: 'email', examples: ['ina@mail.example'] } });
  const rows = await rowsOf({ body });
  const emails = rows.map((row) => row['email']);
  expect([emails[0], new Set(emails).size]).toEqual(['ina@mail.example', 5]);
});

test('examples of the document come first', async () => {
  const rows = await rowsOf({
    body: objectOf({ id: { type: 'integer' }, name: { type: 'string', examples: ['Ada', 'Grace'] } }),
    example: { id: 10, name: 'Whole' },
  });
  expect(rows.map((row) => row['name'])).toEqual(['Whole', 'Grace', 'Ada', 'Grace', 'Ada']);
  expect(rows.map((row) => row['id'])).toEqual([1, 2, 3, 4, 5]);
});

test('keys that the service gives are made as it makes them', async () => {
  const body = objectOf({ name });
  const rows = await rowsOf({ body, answer: objectOf({ id: { type: 'integer' }, name }) });
  expect(rows.map((row) => row['id'])).toEqual([1, 2, 3, 4, 5]);
});

test.each<readonly [string, JsonObject]>([
  ['texts', { type: 'string' }],
  ['UUIDs', { type: 'string', format: 'uuid' }],
  ['texts of a pattern', { type: 'string', pattern: '^[A-Z]{3}-[0-9]{4}$' }],
  ['integers from 1000', { type: 'integer', minimum: 1000 }],
])('keys that are %s are distinct and valid', async (_, id) => {
  const rows = await rowsOf({ body: objectOf({ id, name }) });
  expect(new Set(rows.map((row) => row['id'])).size).toBe(5);
});

test('keys that cannot be counted are distinct and valid in any number', async () => {
  const rows = await rowsOf({
    body: objectOf({ id: { type: 'string', pattern: '^[A-Z]{2}[a-z]{2}$' }, reading: name }),
    options: { dataCount: 200 },
  });
  expect(new Set(rows.map((row) => row['id'])).size).toBe(200);
  expect(rows[199]?.['reading']).toBe('Reading 200');
});

test('keys are counted although many bodies are refused for something else', async () => {
  const rows = await rowsOf({
    body: objectOf({ id: { type: 'integer' }, amount: { type: 'integer', minimum: 0, maximum: 1000 } }),
    options: { dataCount: 60, policy: { constraints: { amount: { maximum: 100 } } } },
  });
  expect(rows.map((row) => row['id'])).toEqual(rows.map((_, index) => index + 1));
  expect(rows.length).toBeGreaterThan(0);
});

test('a collection gets fewer rows where there are no more that differ', async () => {
  const rows = await rowsOf({ body: objectOf({ id: { enum: ['a', 'b'] }, name }) });
  expect(new Set(rows.map((row) => row['id']))).toEqual(new Set(['a', 'b']));
  expect(rows).toHaveLength(2);
});

test('unique values are unique, and constraints of the policy hold', async () => {
  const rows = await rowsOf({
    body: objectOf({ id: { type: 'integer' }, name, kind: { enum: ['x', 'y', 'z'] } }),
    options: { policy: { 'unique-properties': ['kind'], constraints: { name: { maxLength: 5 } } } },
  });
  expect(new Set(rows.map((row) => row['kind']))).toEqual(new Set(['x', 'y', 'z']));
  expect(rows).toHaveLength(3);
  expect(rows.filter(({ name: made }) => typeof made !== 'string' || made.length > 5)).toEqual([]);
});
