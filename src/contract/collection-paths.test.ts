import { expect, test } from 'vitest';
import { body, json, kindsOf, list, rolesOf, success } from '../../fixtures/kinds-of.ts';

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
