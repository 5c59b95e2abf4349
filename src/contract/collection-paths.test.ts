import { expect, test } from 'vitest';
import { body, item, json, kindsOf, list, rolesOf, shape, success, task } from '../../fixtures/kinds-of.ts';

test('a path that ends in a parameter is a collection where GET lists the items of the paths below it', () => {
  const record = {
    type: 'object',
    properties: { name: { type: 'string' }, ttl: { type: 'integer' }, etag: { type: 'string' } },
  };
  const records = {
    '/zones/{zone}/{type}': { get: { responses: success(list(record)) } },
    '/zones/{zone}/{type}/{name}': {
      get: { responses: success(json(record)) },
      put: { ...body(record), responses: success(json(record), '201') },
    },
  };
  const zone = { type: 'object', properties: { name: { type: 'string' }, records: { type: 'array' } } };
  const kinds = kindsOf({ '/zones/{zone}': { get: { responses: success(json(zone)) } }, ...records });
  expect(rolesOf(kinds)).toMatchObject({
    'GET /zones/{zone}/{type}': 'list',
    'GET /zones/{zone}/{type}/{name}': 'read',
  });
  expect(kinds['GET /zones/{zone}/{type}']).toMatchObject({
    resource: { collection: '/zones/{zone}/{type}', parameter: 'name', isKept: true },
  });
  // An order that shows its lines is an order.
  const line = { type: 'object', properties: { sku: { type: 'string' }, count: { type: 'integer' } } };
  const order = {
    type: 'object',
    properties: { id: { type: 'string' }, lines: { type: 'array', items: line } },
  };
  const orders = kindsOf({
    '/orders': { get: { responses: success(list(order)) } },
    '/orders/{id}': { get: { responses: success(json(order)) } },
    '/orders/{id}/{sku}': { get: { responses: success(json(line)) } },
  });
  expect(orders['GET /orders/{id}']).toMatchObject({ kind: 'read', resource: { collection: '/orders' } });
});

test('what a path that ends in list or create lists or creates is called by the word before', () => {
  const kinds = kindsOf({
    '/aggregator/create': { post: { ...body(task), responses: success(json(task), '201') } },
    '/v1/cards/list': { get: { responses: success(list(task)) } },
    '/mailing/list': { get: { responses: success(list(task)) } },
  });
  expect(kinds['GET /v1/cards/list']).toMatchObject({ resource: { name: 'cards' } });
  expect(kinds['POST /aggregator/create']).toMatchObject({
    kind: 'create',
    resource: { name: 'aggregator' },
  });
  expect(kinds['GET /mailing/list']).toMatchObject({ resource: { name: 'list' } });
});

test('what is searched for below a path that there is, is called by the word before', () => {
  const found = shape('title', 'uuid');
  const kinds = kindsOf({
    ...item('/location', found),
    '/location/search': { get: { responses: success(list(found)) } },
    '/location/by-square': { get: { responses: success(list(found)) } },
    '/web/search': { get: { responses: success(list(found)) } },
    '/jobs:query': { get: { responses: success(list(found)) } },
    '/users.list': { get: { responses: success(list(found)) } },
  });
  expect(kinds['GET /location/search']).toMatchObject({
    resource: { name: 'location', key: { property: 'uuid' } },
  });
  const nameOf = (path: string): unknown => kinds[path]?.kind !== 'sample' && kinds[path]?.resource.name;
  const paths = ['GET /location/by-square', 'GET /web/search', 'GET /jobs:query', 'GET /users.list'];
  expect(paths.map(nameOf)).toEqual(['location', 'search', 'jobs', 'users']);
});

test('a format in the path names no item', () => {
  const kinds = kindsOf({
    ...item('/lookups/{format}', shape('number')),
    '/tasks/{format}': { get: { responses: success(list(task)) } },
  });
  expect(rolesOf(kinds)).toEqual({ 'GET /lookups/{format}': 'sample', 'GET /tasks/{format}': 'list' });
});

test('nothing is known of what a path without a word shows', () => {
  const kinds = kindsOf(item('/{year}/{month}.json', shape('docs')));
  expect(rolesOf(kinds)).toEqual({ 'GET /{year}/{month}.json': 'sample' });
});
