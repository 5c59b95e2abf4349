import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { body, json, success } from '../../fixtures/kinds-of.ts';
import type { JsonObject } from '../json/value.ts';
import { hasListedIds } from './key-style.ts';

const lamp = { type: 'object', properties: { level: { type: 'integer' } } };
const hasListed = (schema: JsonObject): boolean | undefined => {
  const put = { ...body(lamp), responses: success(json(lamp), '201') };
  const parameters = [{ name: 'name', in: 'path', required: true, schema }];
  const { operations } = contractOf({
    paths: { '/lamps/{name}': { parameters, put, get: { responses: success(json(lamp)) } } },
  });
  return operations.filter(({ method }) => method === 'PUT').map(hasListedIds)[0];
};

test('ids of a list are few, and those of a pattern are not', () => {
  expect(hasListed({ type: 'string', enum: ['red', 'green'] })).toBe(true);
  expect(hasListed({ type: 'string', pattern: '^[a-z]{8}$' })).toBe(false);
  expect(hasListed({ type: 'string' })).toBe(false);
});
