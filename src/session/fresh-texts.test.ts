import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { plainContent } from '../arbitrary/plain-body.ts';
import { buildRequest, plainRequest } from '../arbitrary/request.ts';
import type { JsonObject } from '../json/value.ts';
import { freshenTexts } from './fresh-texts.ts';

/** The text of the fullest body of a create, or a replace, after it was given serial numbers, one for each body. */
function send(
  properties: JsonObject,
  serials: readonly number[],
  {
    required = [],
    method = 'POST',
    drawn = [],
    isUnique = true,
  }: {
    readonly required?: readonly string[];
    readonly method?: string;
    /** Gets the slots whose serial numbers are drawn. */
    readonly drawn?: number[];
    readonly isUnique?: boolean;
  } = {},
) {
  const content = (all: JsonObject) => ({
    'application/json': { schema: { type: 'object', properties: all, required: [...required] } },
  });
  const { operations } = contractOf({
    paths: {
      '/zones': {
        post: {
          requestBody: { required: true, content: content(properties) },
          responses: {
            '201': { description: 'made', content: content({ ...properties, id: { type: 'integer' } }) },
          },
        },
      },
      '/zones/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: { '200': { description: 'ok' } } },
        put: {
          requestBody: { required: true, content: content(properties) },
          responses: { '200': { description: 'replaced', content: content(properties) } },
        },
      },
    },
  });
  const operation = operations.find((each) => each.method === method);
  const { body } = operation === undefined ? { body: undefined } : plainRequest(operation);
  if (operation === undefined || body?.kind !== 'body') throw new Error('It takes a body.');
  const request = { ...buildRequest(operation, { body: plainContent(body.body) }), isUnique };
  return serials.map((serial) => {
    const parts =
      freshenTexts(request, operation, (slot) => (drawn.push(slot), serial + 100 * slot)).body ?? [];
    return parts.map((part) => (typeof part === 'string' ? part : '…')).join('');
  });
}

test('sends another name for each serial number, and the same one for the same number', () => {
  const pattern = '^[a-z]{4,12}\\.org\\.$';
  const [one, two, again] = send({ name: { type: 'string', pattern } }, [1, 2, 1], { required: ['name'] });
  expect(one).toMatch(/^\{"name":"[a-z]{4,12}\.org\."\}$/u);
  expect(two).not.toBe(one);
  expect(again).toBe(one);
});

test.each<[string, JsonObject]>([
  ['a listed text', { name: { type: 'string', enum: ['a', 'b'] } }],
  ['an example that may be the only text accepted', { currency: { type: 'string', example: 'EUR' } }],
  ['a date', { from: { type: 'string', format: 'date' } }],
  ['a number', { size: { type: 'integer' } }],
])('leaves %s as it is', (_what, properties) => {
  const [one, two] = send(properties, [1, 2]);
  expect(two).toBe(one);
});

test('replaces the example of a name, which a second item must not have', () => {
  const [one, two] = send({ userName: { type: 'string', example: 'Ann' } }, [1, 2]);
  expect(two).not.toBe(one);
});

test('sends different texts in the properties of one item', () => {
  const [one = ''] = send({ name: { type: 'string' }, singer: { type: 'string' } }, [1], {
    required: ['name', 'singer'],
  });
  // `as`: it is the body above.
  const { name, singer } = JSON.parse(one) as Record<string, string>;
  expect(name).not.toBe(singer);
});

test('sends another name in the attributes of a JSON:API resource', () => {
  const attributes = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const properties = { type: { const: 'zones' }, id: { type: 'string', readOnly: true }, attributes };
  const [one, two] = send(properties, [1, 2], { required: ['type', 'attributes'] });
  expect(one).toMatch(/"type":"zones".*"name":"key[a-z]+"/u);
  expect(two).not.toBe(one);
});

test('sends another name under each id that the client chooses, and leaves the id', () => {
  const properties = { id: { type: 'string' }, name: { type: 'string' } };
  const how = { required: ['id', 'name'] };
  const [one = '', two, again] = send(properties, [1, 2, 1], how);
  expect(one).toMatch(/^\{"id":…,"name":"key[a-z]+"\}$/u);
  expect(two).not.toBe(one);
  expect(again).toBe(one);
});

test('leaves the texts of other creates whose client chooses the id', () => {
  const properties = { id: { type: 'string' }, name: { type: 'string' } };
  const [one, two] = send(properties, [1, 2], { required: ['id', 'name'], isUnique: false });
  expect(two).toBe(one);
});

test('sends another name in a replace than in the create under the same id, and draws one number for both', () => {
  const properties = { id: { type: 'string' }, name: { type: 'string' } };
  const how = { required: ['id', 'name'] };
  const [created] = send(properties, [1], how);
  const drawn: number[] = [];
  const [replaced] = send(properties, [1], { ...how, method: 'PUT', drawn });
  expect(drawn).toEqual(drawn.map(() => 0));
  expect(replaced).not.toBe(created);
});

test('sends another name in a replace than in the create of the item', () => {
  const properties = { email: { type: 'string', format: 'email' } };
  const how = { required: ['email'] };
  const [created] = send(properties, [1], how);
  const [one, two, again] = send(properties, [1, 2, 1], { ...how, method: 'PUT' });
  expect(again).toBe(one);
  expect(new Set([created, one, two]).size).toBe(3);
});
