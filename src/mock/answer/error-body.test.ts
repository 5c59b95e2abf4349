import { expect, test } from 'vitest';
import type { MediaTypeContract } from '../../contract/contract.ts';
import { jsonCodec } from '../../http/codecs/registry.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { compileSchema } from '../../schema/compile.ts';
import { createErrorBody } from './error-body.ts';

const facts = {
  status: 422,
  code: 1002,
  condition: 'invalid-body',
  message: '/id must be an integer.',
} as const;

function render(schema: JsonObject | undefined, examples: readonly JsonValue[] = []): unknown {
  const media: MediaTypeContract = {
    range: 'application/json',
    codec: jsonCodec,
    schema: schema === undefined ? undefined : compileSchema({ schema, pointer: '' }),
    examples,
    pointer: '',
  };
  const text = createErrorBody({ media, contentType: 'application/json', codec: jsonCodec })?.(facts);
  return typeof text === 'string' ? JSON.parse(text) : text;
}

function object(properties: JsonObject, required = Object.keys(properties)): JsonObject {
  return { type: 'object', properties, required };
}

const text = { type: 'string' };
const integer = { type: 'integer' };

test.each<[string, JsonObject, unknown]>([
  [
    'a number and a sentence',
    object({ error: integer, message: text }),
    { error: 1002, message: facts.message },
  ],
  ['a sentence under error', object({ error: text }), { error: facts.message }],
  [
    'a problem',
    object({ title: text, status: integer, detail: text }, ['status']),
    { title: 'invalid body', status: 422, detail: facts.message },
  ],
  [
    'a condition under a text code',
    object({ code: text, message: text }),
    { code: 'invalid-body', message: facts.message },
  ],
  [
    'an error inside',
    object({ error: object({ code: integer, message: text }) }),
    { error: { code: 1002, message: facts.message } },
  ],
  [
    'a list of errors',
    object({ errors: { type: 'array', items: object({ message: text }) } }),
    { errors: [{ message: facts.message }] },
  ],
  [
    'what else is required',
    object({ message: text, at: { type: 'string', format: 'date' }, kind: { enum: ['x', 'y'] } }),
    { message: facts.message, at: '2026-01-01', kind: 'x' },
  ],
  ['optional properties with a role', object({ message: text, trace: text }, []), { message: facts.message }],
  ['a cut sentence', object({ message: { type: 'string', maxLength: 3 } }), { message: '/id' }],
])('fills %s', (_, schema, body) => {
  expect(render(schema)).toEqual(body);
});

test('keeps to the codes that the schema allows', () => {
  expect(render(object({ code: { type: 'integer', enum: [7, 8] }, message: text }))).toEqual({
    code: 7,
    message: facts.message,
  });
  expect(render(object({ code: { type: 'integer', maximum: 99 }, message: text }))).toEqual({
    code: 1,
    message: facts.message,
  });
});

test('takes the example of the document where nothing can be made', () => {
  const schema = object({ message: { type: 'string', pattern: '^E\\d{4}(?<=7319)$' } });
  expect(render(schema)).toBeUndefined();
  expect(render(schema, [{ message: 'wrong' }, { message: 'E7319' }])).toEqual({ message: 'E7319' });
});

const problem = {
  type: 'about:blank',
  title: 'Unprocessable Content',
  status: 422,
  detail: facts.message,
  condition: 'invalid-body',
  code: 1002,
};

test.each<[string, JsonObject | undefined, unknown]>([
  ['no schema', undefined, problem],
  ['a schema that takes anything', {}, problem],
  ['one that takes any object', { type: 'object' }, problem],
  ['properties that say nothing', object({ trace: text }, []), problem],
  ['one member at most', { type: 'object', maxProperties: 1 }, { message: facts.message }],
  ['texts alone as members', { type: 'object', additionalProperties: text }, { message: facts.message }],
  ['a list', { type: 'array' }, [problem]],
  ['a text', text, facts.message],
])('carries the reason in a shape of its own under %s', (_, schema, body) => {
  expect(render(schema)).toEqual(body);
});

test('puts the reason into the example of the document, where no schema says more', () => {
  const example = { code: 1, oops: true, errors: [{ message: 'No such order' }] };
  const filled = { code: 1002, oops: true, errors: [{ message: facts.message }] };
  expect(render({ type: 'object' }, [example])).toEqual(filled);
  expect(render(undefined, [example])).toEqual(filled);
  expect(render({ type: 'object', examples: [{ oops: true }] })).toEqual({ oops: true });
});

test('says why in the members of an example', () => {
  const properties = { code: { type: 'integer' }, message: { type: 'string' } };
  expect(render({ type: 'object', properties, examples: [{ code: 1, message: 'Gone.' }] })).toEqual({
    code: 1002,
    message: facts.message,
  });
});

test('puts the reason in the place of a null of an example, where the schema lets it', () => {
  const example = { errors: [{ detail: null, source: null, status: '404', title: 'Not Found' }] };
  const filled = { detail: facts.message, source: null, status: '422', title: 'invalid body' };
  expect(render(undefined, [example])).toEqual({ errors: [filled] });
  const closed = object({ reason: { type: 'null' } });
  expect(render({ ...closed, properties: { reason: { const: null } } }, [{ reason: null }])).toEqual({
    reason: null,
  });
});
