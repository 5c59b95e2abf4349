import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { plainContent } from '../arbitrary/plain-body.ts';
import { buildRequest, plainRequest } from '../arbitrary/request.ts';
import type { JsonObject } from '../json/value.ts';
import { freshenTexts } from './fresh-texts.ts';

/** The text of the fullest body of a create after it was given serial numbers, one for each body. */
function send(properties: JsonObject, serials: readonly number[], required: readonly string[] = []) {
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
        get: {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { '200': { description: 'ok' } },
        },
      },
    },
  });
  const create = operations.find(({ method }) => method === 'POST');
  const { body } = create === undefined ? { body: undefined } : plainRequest(create);
  if (create === undefined || body?.kind !== 'body') throw new Error('It takes a body.');
  const request = buildRequest(create, { body: plainContent(body.body) });
  return serials.map((serial) => {
    const parts = freshenTexts(request, create, () => serial).body ?? [];
    return parts.map((part) => (typeof part === 'string' ? part : '…')).join('');
  });
}

test('sends another name for each serial number, and the same one for the same number', () => {
  const pattern = '^[a-z]{4,12}\\.org\\.$';
  const [one, two, again] = send({ name: { type: 'string', pattern } }, [1, 2, 1], ['name']);
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

test('leaves the texts of a create whose client chooses the id', () => {
  const properties = { id: { type: 'integer' }, name: { type: 'string' } };
  const texts = send(properties, [1, 2], ['id', 'name']);
  expect(texts[0]).toBe(texts[1]);
});
