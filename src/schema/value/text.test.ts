import { expect, test } from 'vitest';
import { type MockClient, openMock } from '../../../fixtures/mock-client.ts';
import { fitLength, sampleText } from './text.ts';

function openPaths(paths: Record<string, unknown>): Promise<MockClient> {
  return openMock({ openapi: '3.1.0', info: { title: 'An API', version: '1' }, paths });
}

const json = (schema: unknown): unknown => ({ content: { 'application/json': { schema } } });
const text = (more: Record<string, unknown>): unknown => ({ type: 'string', ...more });
const object = (properties: Record<string, unknown>): unknown => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

async function codeOf(schema: unknown): Promise<unknown> {
  const responses = { 200: { description: 'OK', ...Object(json(object({ code: schema }))) } };
  const { get } = await openPaths({ '/codes': { get: { responses } } });
  return Object((await get('/codes')).body).code;
}

test.each([
  ['^[0-9]{5}$', {}],
  ['^[A-Z]{2}\\d{2}[A-Z0-9]{1,30}$', {}],
  ['^[0-9]+$', { minLength: 12 }],
  ['^ord_[a-z]+$', { minLength: 16, maxLength: 18 }],
  ['^(?=.*\\d)[a-z\\d]{4,}$', {}],
  ['^(?:red|green)$', {}],
  ['^#(?:[0-9a-f]{3}){1,2}$', { minLength: 7 }],
  ['[0-9]', {}],
  ['^[0-9a-f-]{36}$', { format: 'uuid' }],
  ['^\\S+@\\S+$', { format: 'email' }],
  ['Z$', { format: 'date-time' }],
])('answers with a text that fits %s and %j', async (pattern, more) => {
  const code = await codeOf(text({ pattern, ...more }));
  expect(code).toMatch(new RegExp(pattern, 'u'));
  expect(await codeOf(text({ pattern, ...more }))).toBe(code);
});

test('shows no example that its own pattern does not take', async () => {
  const day = { pattern: '^\\d{4}-\\d{2}-\\d{2}$', example: '2025-10-15T13:51:36.640Z' };
  expect(await codeOf(text(day))).toMatch(new RegExp(day.pattern, 'u'));
});

test('makes the usual text where none is found that fits, and where the pattern is none', () => {
  expect(sampleText({ pattern: '^(?=a)b$', minLength: 6 })).toBe('text with');
  expect(sampleText({ pattern: '^[a-f0-9]{36}$', maxLength: 32 })).toBe('text');
  expect(sampleText({ pattern: '(', maxLength: 2 })).toBe('te');
});

test.each(['uuid', 'date-time', 'email'])('answers with a text of the format %s', async (format) => {
  expect(await codeOf(text({ format }))).toMatch(/[-@]/u);
});

test('takes the text that the document gives', async () => {
  expect(await codeOf(text({ pattern: '^[0-9]{5}$', default: '12345' }))).toBe('12345');
});

test('finds values that keywords beside a pattern make harder', async () => {
  const codes = { type: 'array', items: text({ pattern: '^[0-9]{5}$' }), minItems: 2, uniqueItems: true };
  expect(new Set(Object(await codeOf(codes))).size).toBeGreaterThan(1);
});

const newOrder = { requestBody: json(object({ note: text({}) })) };

test('fills what a server makes of a resource, its key, and the header fields of the answer', async () => {
  const order = object({
    id: text({ pattern: '^ord_[0-9a-f]{8}$', readOnly: true }),
    code: text({ pattern: '^[A-Z]{3}$' }),
    when: text({ format: 'date-time' }),
    note: text({}),
  });
  const headers = { 'X-Batch': { required: true, schema: text({ pattern: '^b[0-9]{3}$' }) } };
  const responses = { 201: { description: 'Created', headers, ...Object(json(order)) } };
  const { post } = await openPaths({ '/orders': { post: { ...newOrder, responses } } });
  const first = await post('/orders', { note: 'one' });
  expect(first.headers.get('x-batch')).toMatch(/^b\d{3}$/u);
  expect(first.body).toMatchObject({
    id: 'ord_00000001',
    code: expect.stringMatching(/^[A-Z]{3}$/u),
    note: 'one',
  });
  expect((await post('/orders', { note: 'one' })).body).toMatchObject({ id: 'ord_00000002' });
});

test('says in a refusal what was wrong, beside a code that has a pattern', async () => {
  const problem = object({ code: text({ pattern: '^E[0-9]{3}$' }), message: text({}) });
  const responses = {
    201: { description: 'Created' },
    400: { description: 'Refused', ...Object(json(problem)) },
  };
  const { post } = await openPaths({ '/orders': { post: { ...newOrder, responses } } });
  const { body } = await post('/orders', {});
  expect(body).toEqual({
    code: expect.stringMatching(/^E\d{3}$/u),
    message: expect.stringContaining('/note is required'),
  });
});

test('leaves alone what stands in a value', async () => {
  const constant = { pattern: '^[0-9]$', type: 'string' };
  expect(await codeOf({ const: constant })).toEqual(constant);
});

test.each([
  ['a', { minLength: 3 }, 'a with'],
  ['text', { minLength: 20, maxLength: 25 }, 'text with some more words'],
  ['text', { minLength: 21, maxLength: 21 }, 'text with some more w'],
  ['text', { minLength: 5, maxLength: 5 }, 'text.'],
  ['text', { maxLength: 3 }, 'tex'],
  ['🌼', { minLength: 2, maxLength: 2 }, '🌼.'],
])('continues %j to the length of %j in words', (text, schema, expected) => {
  expect(fitLength(text, schema)).toBe(expected);
});

test('continues a text to a length of many words', () => {
  const text = fitLength('text', { minLength: 10_000 });
  expect(text.length).toBeGreaterThanOrEqual(10_000);
  expect(text).not.toMatch(/(.)\1{3}/u);
});
