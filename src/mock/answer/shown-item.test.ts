import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { shopPaths } from '../../../fixtures/shops.ts';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';

const shops = contractOf({ paths: shopPaths });
let mock: Mock;
let url: string;

beforeAll(async () => {
  mock = await createMock(shops, { policy: { 'unknown-key-replaced': 'create' } });
  ({ url } = await mock.listen());
});

afterAll(() => mock.close());

/** Sends a path as it is written: fetch() would remove the segments `.` and `..`. */
function send(method: string, path: string, body?: object): Promise<{ status: number; answer: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, answer }), reject);
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

/** Escapes a text as it stands in a JSON string. */
const inJson = (part: string): string => JSON.stringify(part).slice(1, -1);

const unaddressable = [
  { name: 'an empty id', id: '', problem: 'must not be empty: no URL addresses an item with an empty id' },
  { name: 'the id .', id: '.', problem: 'must not be ".": clients remove this segment from a URL' },
  { name: 'the id ..', id: '..', problem: 'must not be "..": clients remove this segment from a URL' },
  {
    name: 'an id with half of a surrogate pair',
    id: 'a\ud800',
    problem: 'must not have half of a surrogate pair: no URL can encode it',
  },
  {
    name: 'a long id',
    id: 'x'.repeat(17_000),
    problem: 'is too long: its URL has 17007 bytes of at most 16384',
  },
  {
    name: 'an id that is long in a URL',
    id: 'ü'.repeat(3_000),
    problem: 'is too long: its URL has 18007 bytes of at most 16384',
  },
];

test.each(unaddressable)('refuses $name in a body and in data', async ({ id, problem }) => {
  const { status, answer } = await send('POST', '/shops', { id });
  expect(status).toBe(400);
  expect(answer).toContain(inJson(`The body is not valid: /id ${problem}.`));
  const rows = { '/shops': [{ id: 'good' }, { id }] };
  await expect(mock.state.import(rows, 'merge')).rejects.toThrow(`/shops, row 2: /id ${problem}`);
  await expect(mock.state.put('/shops', { id })).rejects.toThrow(`/id ${problem}`);
  await expect(createMock(shops, { data: rows })).rejects.toThrow(`/shops, row 2: /id ${problem}`);
  expect(await mock.state.export()).toEqual({});
});

test.each(['.', '..', '%2E%2e'])('creates nothing at the path /shops/%s', async (segment) => {
  const { status, answer } = await send('PUT', `/shops/${segment}`, { id: 'a' });
  expect(status).toBe(400);
  expect(answer).toContain(inJson('The request is not valid: its id must not be ".'));
  expect(await mock.state.export()).toEqual({});
});

const longest = 'x'.repeat(8_000);

test.each(['a/b', '...', '%2E', '.well-known', ' ', '\0', '\u{1F331}', longest])(
  'finds an item under the id %.20s that it accepted',
  async (id) => {
    expect((await send('POST', '/shops', { id })).status).toBe(200);
    const path = `/shops/${encodeURIComponent(id)}`;
    const { status, answer } = await send('GET', path);
    expect([status, JSON.parse(answer)]).toEqual([200, { id }]);
    // Clients that normalize the URL reach it, too.
    expect((await fetch(url + path, { method: 'DELETE' })).status).toBe(200);
  },
);
