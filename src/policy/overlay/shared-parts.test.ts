import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import type { JsonObject } from '../../json/value.ts';
import { createOverlay } from './overlay.ts';

const order = { $ref: '#/components/schemas/Order' };

function post(operationId: string): JsonObject {
  return {
    operationId,
    requestBody: { $ref: '#/components/requestBodies/Order' },
    responses: { '201': { description: 'Created', content: { 'application/json': { schema: order } } } },
  };
}

const contract = contractOf({
  paths: { '/orders': { post: post('order') }, "/customer's": { post: post('orderForCustomer') } },
  components: {
    requestBodies: { Order: { required: true, content: { 'application/json': { schema: order } } } },
    schemas: {
      Order: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer' }, note: { type: 'string' } },
      },
    },
  },
});

test('what operations share is copied into the one that an answer is about', () => {
  const { overlay } = createOverlay({
    contract,
    policy: { operations: { orderForCustomer: { constraints: { note: { maxLength: 9 } } } } },
  });
  expect(overlay.actions.map(({ target, remove, update }) => [target, remove ?? update])).toEqual([
    [String.raw`$.paths['/customer\'s'].post.requestBody`, true],
    [
      String.raw`$.paths['/customer\'s'].post`,
      {
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { allOf: [order, { properties: { note: { maxLength: 9 } } }] } },
          },
        },
      },
    ],
    [String.raw`$.paths['/customer\'s'].post`, { 'x-cloche-policy': { constraints: {} } }],
  ]);
});

test('an answer for the whole service stands at the root', () => {
  const { overlay } = createOverlay({ contract, policy: { echo: 'none' } });
  expect(overlay.actions).toEqual([
    expect.objectContaining({ target: '$', update: { 'x-cloche-policy': { echo: 'none' } } }),
  ]);
});

test('an answer that one operation gives otherwise stands on each', () => {
  const { overlay } = createOverlay({
    contract,
    policy: { echo: 'none', operations: { order: { echo: 'exact' } } },
  });
  expect(overlay.actions.map(({ target, update }) => [target, update])).toEqual([
    ["$.paths['/orders'].post", { 'x-cloche-policy': { echo: 'exact' } }],
    [String.raw`$.paths['/customer\'s'].post`, { 'x-cloche-policy': { echo: 'none' } }],
  ]);
});

test('an answer that the document gives itself is not declared again', () => {
  const { paths, components } = contract.root;
  // `as`: what was given above.
  const root = {
    paths: paths as JsonObject,
    components: components as JsonObject,
    'x-cloche-policy': { echo: 'exact' },
  };
  expect(createOverlay({ contract: contractOf(root), policy: { echo: 'none' } }).overlay.actions).toEqual([]);
});
