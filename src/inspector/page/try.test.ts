import { expect, test } from 'vitest';
import { toRequest } from './try.tsx';

const form = {
  method: 'POST',
  path: '/shops/{shop}/orders',
  parameters: [
    { name: 'Authorization', in: 'header', required: true, value: 'Bearer any' },
    { name: 'shop', in: 'path', required: true, value: '' },
    { name: 'dry', in: 'query', required: false, value: '' },
  ],
  body: { mediaType: 'application/json', text: '' },
} as const;

test('fills in the path, and leaves out optional parameters and a body without a value', () => {
  expect(toRequest({ form, values: ['Bearer any', 'a/b', ''], body: '' })).toEqual({
    target: '/shops/a%2Fb/orders',
    headers: [['Authorization', 'Bearer any']],
    body: undefined,
  });
});

test('sends the query and the body with its media type', () => {
  expect(toRequest({ form, values: ['t', '1', 'yes & no'], body: '{}' })).toEqual({
    target: '/shops/1/orders?dry=yes%20%26%20no',
    headers: [
      ['Content-Type', 'application/json'],
      ['Authorization', 't'],
    ],
    body: '{}',
  });
});
