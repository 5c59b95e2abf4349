import { expect, test } from 'vitest';
import { createProjection } from '../answer/representation.ts';

test('picks what the schema declares, values as they are', () => {
  const project = createProjection({ properties: { name: { type: 'string' }, tag: {} } }, 'writeOnly');
  expect(project({ id: 1, tag: { any: ['thing'] }, name: 'a' })).toEqual({
    name: 'a',
    tag: { any: ['thing'] },
  });
});

test('picks everything, as a copy, where nothing is declared', () => {
  const project = createProjection(true, 'writeOnly');
  const value = { id: 1 };
  expect(project(value)).toEqual(value);
  expect(project(value)).not.toBe(value);
});

test('leaves write-only properties out, at any depth', () => {
  const secret = { type: 'string', writeOnly: true };
  const project = createProjection(
    {
      properties: {
        password: secret,
        owner: { $ref: '#/$defs/person' },
        others: { type: 'array', items: { $ref: '#/$defs/person' } },
      },
      $defs: { person: { type: 'object', properties: { name: { type: 'string' }, pin: secret } } },
    },
    'writeOnly',
  );
  const person = { name: 'a', pin: '1234', note: 'kept' };
  expect(project({ password: 'x', owner: person, others: [person] })).toEqual({
    owner: { name: 'a', note: 'kept' },
    others: [{ name: 'a', note: 'kept' }],
  });
});

test('leaves out what a closed schema further down does not allow', () => {
  const project = createProjection(
    { properties: { owner: { type: 'object', properties: { name: true }, additionalProperties: false } } },
    'writeOnly',
  );
  expect(project({ owner: { name: 'a', age: 1 } })).toEqual({ owner: { name: 'a' } });
});

test('never takes an inherited property for a sent one', () => {
  const project = createProjection({ properties: { constructor: {}, toString: {}, name: {} } }, 'writeOnly');
  expect(project({ name: 'a' })).toEqual({ name: 'a' });
  const own = JSON.parse('{"__proto__":"p","constructor":"c"}');
  const open = createProjection({ properties: JSON.parse('{"__proto__":{},"constructor":{}}') }, 'writeOnly');
  expect(JSON.stringify(open(own))).toBe('{"__proto__":"p","constructor":"c"}');
});
