import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { JsonObject } from '../json/value.ts';
import { freshenIdempotencyKey } from './fresh-idempotency-key.ts';

function freshen(schema: JsonObject, sent: string): string | undefined {
  const parameters = [{ name: 'Idempotency-Key', in: 'header', schema }];
  const [operation] = contractOf({
    paths: { '/orders': { post: { parameters, responses: { 200: { description: '' } } } } },
  }).operations;
  const [, field] = freshenIdempotencyKey(
    [
      ['Accept', sent],
      ['idempotency-key', sent],
    ],
    operation,
    () => 255,
  );
  return field?.[1];
}

const uuid = '00000000-0000-4000-8000-0000000000ff';

test.each([
  [{ type: 'string' }, 'a', uuid],
  [{ type: 'string', format: 'uuid' }, '5f0c6d3e-0000-4000-8000-000000000000', uuid],
  [{ type: 'string', maxLength: 20 }, 'a', 'key-255'],
  [{ type: 'integer' }, '1', '255'],
])('replaces a valid key of the schema %j with a fresh one', (schema, sent, fresh) => {
  expect(freshen(schema, sent)).toBe(fresh);
});

test.each([
  [{ type: 'string', format: 'uuid' }, 'not-a-uuid'],
  [{ type: 'string', enum: ['a', 'b'] }, 'a'],
])('keeps a key of the schema %j that is invalid or that nothing can replace', (schema, sent) => {
  expect(freshen(schema, sent)).toBe(sent);
});

test('leaves the other operations alone', () => {
  const headers = [['Idempotency-Key', 'a']] as const;
  const draw = (): number => {
    throw new Error('drew a number');
  };
  expect(freshenIdempotencyKey(headers, undefined, draw)).toBe(headers);
  const [operation] = contractOf({
    paths: { '/': { get: { responses: { 200: { description: '' } } } } },
  }).operations;
  expect(freshenIdempotencyKey(headers, operation, draw)).toBe(headers);
});
