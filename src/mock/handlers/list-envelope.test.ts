import { expect, test } from 'vitest';
import { compileSchema } from '../../schema/compile.ts';
import { prepareEnvelope } from './list-envelope.ts';
import { openMock } from '../../../fixtures/mock-client.ts';
import type { ClientResponse } from '../../../fixtures/service-client.ts';
import type { JsonObject } from '../../json/value.ts';

test('an envelope whose sample fits is prepared without asking for reasons, which takes compiling', () => {
  const compiled = compileSchema({
    schema: {
      type: 'object',
      required: ['data', 'has_more', 'object'],
      properties: {
        data: { type: 'array', items: { type: 'object', required: ['id'], properties: { id: {} } } },
        has_more: { type: 'boolean' },
        object: { enum: ['list'] },
      },
    },
    pointer: '',
  });
  let asked = 0;
  const envelope = prepareEnvelope(
    {
      examples: [],
      schema: {
        ...compiled,
        validator(reading) {
          const validate = compiled.validator(reading);
          const count: typeof validate = Object.assign(
            (...of: Parameters<typeof validate>) => {
              asked += 1;
              return validate(...of);
            },
            { accepts: validate.accepts },
          );
          return count;
        },
      },
    },
    ['data'],
  );
  expect([asked, envelope.needsTotal]).toEqual([0, false]);
});

/** What a list of an empty collection answers by a schema. */
async function listNone(schema: JsonObject): Promise<ClientResponse> {
  const content = (whole: JsonObject): JsonObject => ({ content: { 'application/json': { schema: whole } } });
  const book = { type: 'object', properties: { id: { type: 'integer' } } };
  const paths = {
    '/books': {
      get: { responses: { 200: { description: 'All.', ...content(schema) } } },
      post: { requestBody: content(book), responses: { 201: { description: 'New.', ...content(book) } } },
    },
  };
  const info = { title: 'Books', version: '1.0.0' };
  const client = await openMock({ openapi: '3.1.0', info, paths }, { data: 'none' });
  return client.get('/books');
}

test('a list that has to have items is left out where there are none, or a sample says that it is one', async () => {
  const items = { type: 'array', minItems: 1, items: { type: 'object', properties: { id: { const: 5 } } } };
  const properties = { items, total: { type: 'integer' } };
  const optional = await listNone({ type: 'object', properties });
  expect(optional.body).toEqual({ total: 0 });
  expect(optional.headers.get('cloche-sample')).toBeNull();
  const required = await listNone({ type: 'object', properties, required: ['items'] });
  expect(required.body).toEqual({ items: [{}] });
  expect(required.headers.get('cloche-sample')).toBe('generated');
});
