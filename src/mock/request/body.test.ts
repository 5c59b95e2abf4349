import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createMock } from '../create-mock.ts';
import type { MockOptions } from '../mock.ts';
import { acceptsMedia, chooseAccepted } from './body.ts';

test.each([
  ['*/*', true],
  ['application/json', true],
  ['APPLICATION/JSON', true],
  ['text/html, application/*;q=0.1', true],
  ['application/json;version=1', true],
  ['text/html', false],
  ['text/html, */*;q=0', false],
  ['application/json;q=0, */*', false],
  ['application/json;q=0.5, */*;q=0', true],
  ['', true],
  ['garbage', false],
])('reads %j as %j for application/json', (accept, allowed) => {
  expect(acceptsMedia(accept, 'application/json')).toBe(allowed);
});

test.each([
  ['application/json;version=2', true],
  ['application/json;version=1', false],
  ['application/json;version=1;q=0.1, */*;q=0.5', true],
  ['application/json;version=2;q=0, application/json', false],
  ['application/json;charset=utf-8', true],
  ['application/json', true],
])('reads %j as %j for application/json;version=2', (accept, allowed) => {
  expect(acceptsMedia(accept, 'application/json;version=2')).toBe(allowed);
});

test.each([
  ['application/json;version=2', 1],
  ['application/json;version=1', 0],
  ['application/json', 0],
  ['application/json;version=3', 0],
  ['application/json;version=1;q=0.2, application/json;version=2;q=0.3', 1],
])('chooses by %j the version %j', (accept, index) => {
  expect(chooseAccepted(accept, ['application/json;version=1', 'application/json;version=2'])).toBe(index);
});

const mebibyte = 1_048_576;

async function statusOf(size: number, contentType: string, options: MockOptions = {}): Promise<number> {
  const content = { 'image/*': {}, 'application/json': {}, 'application/x-www-form-urlencoded': {} };
  const responses = { 204: { description: 'Stored' }, 400: { description: 'Not valid' } };
  const paths = { '/portraits': { post: { requestBody: { content }, responses } } };
  const mock = await createMock(contractOf({ paths }), options);
  const headers = { 'content-type': contentType };
  const body = `"${'a'.repeat(size - 2)}"`;
  return (await mock.fetch('/portraits', { method: 'POST', headers, body })).status;
}

test.each([
  ['accepts', 3 * mebibyte, 'image/jpeg', 204],
  ['accepts', 16 * mebibyte, 'image/jpeg', 204],
  ['refuses', 16 * mebibyte + 1, 'image/jpeg', 400],
  ['accepts', mebibyte, 'application/json', 204],
  ['refuses', mebibyte + 1, 'application/json', 400],
  ['refuses', mebibyte + 1, 'application/x-www-form-urlencoded', 400],
])('%s %i bytes of %s', async (_, size, contentType, status) => {
  expect(await statusOf(size, contentType)).toBe(status);
});

test('refuses what is larger than the configured limit, whatever its media type', async () => {
  const options = { policy: { 'body-limit': { bytes: 10, status: 413 } } };
  expect(await statusOf(11, 'image/jpeg', options)).toBe(413);
  expect(await statusOf(10, 'image/jpeg', options)).toBe(204);
});
