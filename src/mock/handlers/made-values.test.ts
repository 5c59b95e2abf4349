import { describe, expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import type { JsonObject } from '../../json/value.ts';
import { type MadeValues, prepareMadeValues } from './made-values.ts';

const text = { type: 'string' };
const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const noon = Date.parse('2026-03-01T12:00:00Z');

/** What is made of the pages of a wiki, at a create, a replace or an update; `sent` may be in bodies, `shown` is in answers. */
function makeFor(
  method: 'post' | 'put' | 'patch',
  { sent, shown, required = [] }: { sent: JsonObject; shown: JsonObject; required?: string[] },
  clock = () => noon,
): MadeValues {
  const body = { required: true, ...json({ type: 'object', properties: sent }) };
  const page = { type: 'object', required, properties: { id: { type: 'integer' }, ...shown } };
  const answered = { description: 'A page', ...json(page) };
  const { operations } = contractOf({
    paths: {
      '/pages': { post: { requestBody: body, responses: { 201: answered } } },
      '/pages/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: { 200: answered } },
        put: { requestBody: body, responses: { 200: answered } },
        patch: { requestBody: body, responses: { 200: answered } },
      },
    },
  });
  const operation = operations.find((each) => each.method === method.toUpperCase());
  if (operation === undefined) throw new Error('There is no such operation.');
  return prepareMadeValues({ operation, siblings: operations, clock });
}

test.each([
  ['createdAt', { type: 'string', format: 'date-time' }, '2026-03-01T12:00:00.000Z'],
  ['created_at', { type: 'string', format: 'date-time' }, '2026-03-01T12:00:00.000Z'],
  ['dateCreated', { type: 'string', format: 'date' }, '2026-03-01'],
  ['lastModified', { type: 'integer' }, noon / 1000],
  ['updated', { type: ['integer', 'null'], examples: [1_700_000_000_000] }, noon],
  ['modifiedMs', { type: 'integer' }, noon],
  ['version', { type: 'integer' }, 1],
  ['revision', { type: 'integer', minimum: 10 }, 10],
  ['createdBy', { type: 'integer' }, undefined],
  ['updateCount', { type: 'integer' }, undefined],
  ['version', { type: 'string' }, undefined],
])('of %s %j the service makes at a create: %j', (name, schema, expected) => {
  const { complete } = makeFor('post', { sent: { title: text }, shown: { title: text, [name]: schema } });
  expect(complete({ title: 'Tea' }, '/')[name]).toBe(expected);
});

test('what a client may send is not made, and neither is what it has sent', () => {
  const properties = { createdAt: { type: 'string', format: 'date-time' } };
  const item = {};
  expect(makeFor('post', { sent: properties, shown: properties }).complete(item, '/')).toBe(item);
  const open = makeFor('post', { sent: {}, shown: properties });
  expect(open.complete(item, '/')).toBe(item);
});

test('what an answer requires and nobody sent is made once, and defaults fill what was left out of a whole item', () => {
  const sent = { title: text, section: { type: 'string', default: 'news' } };
  const parts = {
    sent,
    shown: { ...sent, slug: { type: 'string', examples: ['a-page'] } },
    required: ['slug'],
  };
  expect(makeFor('post', parts).complete({ title: 'Tea' }, '/')).toEqual({
    title: 'Tea',
    section: 'news',
    slug: 'a-page',
  });
  const former = { title: 'Tea', section: 'old', slug: 'own' };
  expect(makeFor('put', parts).renew({ title: 'Milk' }, former)).toEqual({
    title: 'Milk',
    section: 'news',
    slug: 'own',
  });
  expect(makeFor('patch', parts).renew({ title: 'Milk' }, former)).toEqual({ title: 'Milk', slug: 'own' });
});

test('what an answer requires of a new item is true of one: it came now, and is not deleted', () => {
  const shown = {
    openedAt: { type: 'string', format: 'date-time' },
    since: { type: 'string', format: 'date', example: '2020-02-02' },
    deleted: { type: 'boolean' },
    amount: { type: 'integer', format: 'int64' },
  };
  const parts = { sent: { title: text }, shown, required: Object.keys(shown) };
  expect(makeFor('post', parts).complete({}, '/')).toEqual({
    openedAt: '2026-03-01T12:00:00.000Z',
    since: '2020-02-02',
    deleted: false,
    amount: 1,
  });
});

test('a change renews times of a change and versions, and keeps those of the creation', () => {
  let now = noon;
  const shown = {
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
    version: { type: 'integer' },
  };
  const parts = { sent: { title: text }, shown };
  const made = makeFor('put', parts, () => now).complete({ title: 'Tea' }, '/');
  now += 1000;
  const changed = makeFor('patch', parts, () => now).renew({ ...made, title: 'Milk', version: 99 }, made);
  expect(changed).toEqual({
    title: 'Milk',
    createdAt: '2026-03-01T12:00:00.000Z',
    updatedAt: '2026-03-01T12:00:01.000Z',
    version: 2,
  });
});

test('what stands in the attributes of JSON:API is made there', () => {
  let now = noon;
  const own = { title: text, section: { type: 'string', default: 'news' } };
  const made = {
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
    slug: { type: 'string', examples: ['a-page'] },
  };
  const inAttributes = (properties: JsonObject, required: string[]): JsonObject => ({
    attributes: { type: 'object', required, properties },
  });
  const parts = { sent: inAttributes(own, []), shown: inAttributes({ ...own, ...made }, ['slug']) };
  const created = makeFor('post', parts, () => now).complete({ attributes: { title: 'Tea' } }, '/');
  const createdAt = '2026-03-01T12:00:00.000Z';
  const rest = { section: 'news', slug: 'a-page', createdAt };
  expect(created).toEqual({ attributes: { title: 'Tea', ...rest, updatedAt: createdAt } });
  now += 1000;
  const sent = { attributes: { title: 'Milk', createdAt: 'never' } };
  expect(makeFor('put', parts, () => now).renew(sent, created)).toEqual({
    attributes: { title: 'Milk', ...rest, updatedAt: '2026-03-01T12:00:01.000Z' },
  });
});

test.each([
  ['published', { type: 'boolean' }, false],
  ['comments', { type: 'array', items: text }, []],
  ['likes', { type: 'integer', minimum: 0 }, 0],
  ['commentsCount', { type: 'integer' }, 0],
  ['state', { enum: ['draft', 'public'] }, 'draft'],
  ['deliveredAt', { type: ['string', 'null'], format: 'date-time' }, null],
  ['courier', { anyOf: [{ type: 'object' }, { type: 'null' }] }, null],
  // What the document shows goes first, and a count that starts at one starts there.
  ['published', { type: 'boolean', default: true }, true],
  ['likes', { type: 'integer', examples: [12] }, 12],
  ['seats', { type: 'integer', minimum: 1 }, 1],
  ['tags', { type: 'array', items: { enum: ['new'] }, minItems: 1 }, ['new']],
])('a new item has %s %j as %j', (name, schema, expected) => {
  const { complete } = makeFor('post', {
    sent: { title: text },
    shown: { title: text, [name]: schema },
    required: [name],
  });
  expect(complete({ title: 'Tea' }, '/pages')).toEqual({ title: 'Tea', [name]: expected });
});

describe('an item below others', () => {
  function completeBelow(path: string, shown: JsonObject, item: JsonObject, at: string): JsonObject {
    const schema = { type: 'object', properties: { id: { type: 'integer' }, note: text, ...shown } };
    const body = {
      content: { 'application/json': { schema: { type: 'object', properties: { note: text } } } },
    };
    const responses = { 201: { description: 'Created.', ...json(schema) } };
    const parameters = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: text,
    }));
    const { operations } = contractOf({
      paths: { [path]: { parameters, post: { requestBody: body, responses } } },
    });
    const [operation] = operations;
    if (operation === undefined) throw new Error('There is no operation.');
    return prepareMadeValues({ operation, siblings: operations, clock: () => noon }).complete(item, at);
  }

  test.each<[string, JsonObject, string, JsonObject]>([
    ['/customers/{id}/orders', { customerId: { type: 'integer' } }, '/customers/5/orders', { customerId: 5 }],
    ['/projects/{key}/tasks', { project: text }, '/projects/shed/tasks', { project: 'shed' }],
    ['/projects/{key}/tasks', { project_key: text }, '/projects/a%20b/tasks', { project_key: 'a b' }],
    ['/people/{id}/pets', { personId: text }, '/people/7/pets', { personId: '7' }],
    // An object, another type and another name say something else.
    ['/customers/{id}/orders', { customer: { type: 'object' } }, '/customers/5/orders', {}],
    ['/customers/{id}/orders', { customerId: { type: 'integer' } }, '/customers/x/orders', {}],
    ['/customers/{id}/orders', { customerName: text }, '/customers/5/orders', {}],
  ])('at %s with %j has, below %s, %j', (path, shown, at, expected) => {
    expect(completeBelow(path, shown, {}, at)).toEqual(expected);
  });

  test('keeps the id that was sent', () => {
    const shown = { customerId: { type: 'integer' } };
    const sent = { customerId: 8 };
    expect(completeBelow('/customers/{id}/orders', shown, sent, '/customers/5/orders')).toEqual(sent);
  });
});
