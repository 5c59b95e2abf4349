import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainBodyOf } from '../../fixtures/plain-body-of.ts';
import type { JsonObject } from '../json/value.ts';
import { judgeValue } from './from-schema.ts';
import type { PlainBody } from './plain-body.ts';
import { canaryBodies } from './unusual-bodies.ts';

function bodyOf(properties: JsonObject): PlainBody {
  const schema: JsonObject = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, ...properties },
  };
  return plainBodyOf(schema);
}

function sample(body: PlainBody): readonly JsonObject[] {
  const made = canaryBodies(body, 8);
  return made === undefined ? [] : fc.sample(made, { seed: 3, numRuns: 60 }).flat();
}

test('puts another text into every body, wherever the schema leaves room for one', () => {
  const body = bodyOf({
    name: { type: 'string' },
    code: { type: 'string', maxLength: 8 },
    day: { type: 'string', format: 'date' },
    kind: { enum: ['one', 'two'] },
    sku: { type: 'string', pattern: '^[0-9]+$' },
  });
  const bodies = sample(body);
  expect(bodies.filter((value) => judgeValue(body.schema, value) !== 'valid')).toEqual([]);
  const names = bodies.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  expect(names.length).toBeGreaterThan(100);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z][a-zA-Z]{18}[A-Z]$/u.test(name))).toEqual([]);
  const codes = bodies.flatMap(({ code }) => (typeof code === 'string' ? [code] : []));
  expect(codes.filter((code) => !/^[a-z][a-zA-Z]{6}[A-Z]$/u.test(code))).toEqual([]);
  expect(new Set(bodies.map(({ sku }) => sku)).size).toBeLessThan(3);
});

test('leaves optional properties out of some bodies', () => {
  const bodies = sample(bodyOf({ name: { type: 'string' } }));
  const without = bodies.filter((value) => !Object.hasOwn(value, 'name'));
  expect(without.length).toBeGreaterThan(100);
  expect(without.length).toBeLessThan(bodies.length - 100);
});

test('has no bodies where no property takes any text', () => {
  expect(sample(bodyOf({ count: { type: 'integer' }, initial: { type: 'string', maxLength: 5 } }))).toEqual(
    [],
  );
});
