import { expect, test } from 'vitest';
import type { Reach } from '../message.ts';
import { createGuard, isForwarded } from './access.ts';

/** What a guard answers, or 0 where it lets a request pass. */
function ask(
  fields: Readonly<Record<string, string>>,
  {
    token,
    reach = 'loopback',
    target = '/__cloche/state',
  }: { token?: string; reach?: Reach; target?: string } = {},
): number {
  const fieldList = Object.entries(fields).flat();
  const head = { method: 'GET', target, header: (name: string) => fields[name], fields: () => fieldList };
  return createGuard(token)(head, reach)?.status ?? 0;
}

const here = { host: '127.0.0.1:4010' };

test.each([
  '127.0.0.1',
  '127.0.0.1:4010',
  '127.8.9.1:80',
  'localhost:4010',
  'LOCALHOST',
  'mock.localhost:4010',
  '[::1]:4010',
])('lets the host %s pass', (host) => {
  expect(ask({ host })).toBe(0);
});

test.each([
  '',
  'evil.example',
  'evil.example:4010',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'notlocalhost',
  'evil-localhost:4010',
  '.localhost',
  '10.0.0.1:4010',
  '0.0.0.0:4010',
  '[::]:4010',
  '[::1].evil.example',
  '127.0.0.1@evil.example',
  '127.0.0.1:4010:80',
  'localhost, evil.example',
])('refuses the host %j', (host) => {
  expect(ask({ host })).toBe(403);
});

test('refuses a request that names no host', () => {
  expect(ask({})).toBe(403);
});

test('goes by the host of a target that is a whole URL', () => {
  expect(ask(here, { target: 'http://evil.example/__cloche/state' })).toBe(403);
  expect(ask({ host: 'evil.example' }, { target: 'http://localhost:1/__cloche/state' })).toBe(0);
});

test.each([
  ['http://127.0.0.1:4010', 0],
  ['https://127.0.0.1:4010', 0],
  ['http://127.0.0.1:3000', 403],
  ['http://127.0.0.1', 403],
  ['http://localhost:4010', 403],
  ['http://evil.example', 403],
  ['http://127.0.0.1:4010.evil.example', 403],
  ['http://127.0.0.1:4010@evil.example', 403],
  ['file://127.0.0.1:4010', 403],
  ['null', 403],
  ['', 403],
])('answers the origin %j with %i', (origin, status) => {
  expect(ask({ ...here, origin })).toBe(status);
});

test('takes a port that the scheme has anyway for the same', () => {
  expect(ask({ host: 'localhost:80', origin: 'http://localhost' })).toBe(0);
  expect(ask({ host: 'localhost', origin: 'http://localhost:80' })).toBe(0);
});

test.each([
  ['same-origin', 0],
  ['none', 0],
  ['same-site', 403],
  ['cross-site', 403],
  ['new-word', 403],
])('answers Sec-Fetch-Site %s with %i', (site, status) => {
  expect(ask({ ...here, 'sec-fetch-site': site })).toBe(status);
});

test.each<[Readonly<Record<string, string>>, number]>([
  [{ authorization: 'Bearer s3cret' }, 0],
  [{ authorization: 'bearer s3cret' }, 0],
  [{ 'cloche-control-token': 's3cret' }, 0],
  [{ authorization: 'Bearer of-the-service', 'cloche-control-token': 's3cret' }, 0],
  [{}, 401],
  [{ authorization: 'Bearer s3cre' }, 401],
  [{ authorization: 'Bearer s3cret5' }, 401],
  [{ authorization: 'Bearer ' }, 401],
  [{ authorization: 'Basic s3cret' }, 401],
  [{ 'cloche-control-token': '' }, 401],
])('where other machines reach it, answers %j with %i', (fields, status) => {
  expect(ask({ host: 'mock.example', ...fields }, { token: 's3cret', reach: 'network' })).toBe(status);
});

test.each<Readonly<Record<string, string>>>([
  here,
  { ...here, authorization: 'Bearer undefined' },
  { ...here, 'cloche-control-token': '' },
])('where other machines reach it and there is no token, refuses %j', (fields) => {
  expect(ask(fields, { reach: 'network' })).toBe(401);
});

test('takes a token in place of a host of its own', () => {
  expect(ask({ host: 'mock.example', 'cloche-control-token': 's3cret' }, { token: 's3cret' })).toBe(0);
});

test('refuses a wrong token even on this machine', () => {
  expect(ask({ ...here, 'cloche-control-token': 'wrong' }, { token: 's3cret' })).toBe(401);
  // That of the service is no business of it.
  expect(ask({ ...here, authorization: 'Bearer of-the-service' }, { token: 's3cret' })).toBe(0);
});

test('lets pass what comes from the process itself', () => {
  expect(ask({ host: 'api.example', origin: 'https://shop.example' }, { reach: 'in-process' })).toBe(0);
});

test('wants a token of what a proxy hands on from another machine', () => {
  const shown = { host: 'localhost:4010', 'x-forwarded-for': '203.0.113.9' };
  expect(ask(shown)).toBe(401);
  expect(ask(shown, { token: 's3cret' })).toBe(401);
  expect(ask({ ...shown, authorization: 'Bearer s3cret' }, { token: 's3cret' })).toBe(0);
  expect(ask({ ...shown, 'x-forwarded-for': '127.0.0.1' })).toBe(0);
});

function isForwardedWith(fields: Readonly<Record<string, string>>): boolean {
  return isForwarded({
    method: 'GET',
    target: '/__cloche/state',
    header: (name) => fields[name],
    fields: () => Object.entries(fields).flat(),
  });
}

test.each<Readonly<Record<string, string>>>([
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
  { 'x-forwarded-for': '127.0.0.1.evil.example' },
  { 'x-forwarded-for': 'unknown' },
  { 'x-forwarded-host': 'mock.example' },
  { 'x-forwarded-host': 'localhost:1, mock.example' },
  { 'x-real-ip': '2001:db8::1' },
  { 'Fly-Client-IP': '203.0.113.9' },
  { 'True-Client-IP': '203.0.113.9' },
  { 'CF-Connecting-IP': '203.0.113.9' },
  { 'CF-Connecting-IPv6': '2001:db8::1' },
  { 'X-Azure-ClientIP': '203.0.113.9' },
  { 'X-Envoy-External-Address': '203.0.113.9' },
  { 'X-AppEngine-User-IP': '203.0.113.9' },
  { 'X-Vercel-Forwarded-For': '203.0.113.9' },
  { 'CloudFront-Viewer-Address': '203.0.113.9:46532' },
  { 'X-Original-Host': 'mock.example' },
  { forwarded: 'for=203.0.113.9' },
  { forwarded: 'for="[::1]", For="[2001:db8::1]:47011"' },
  { forwarded: 'for=127.0.0.1;proto=https;host=mock.example' },
  { forwarded: 'for=_hidden' },
])('knows a request from another machine by %j', (fields) => {
  expect(isForwardedWith(fields)).toBe(true);
});

test.each<Readonly<Record<string, string>>>([
  {},
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-for': '::1, ::ffff:127.0.0.1, 127.0.0.1:5000' },
  { 'x-forwarded-host': 'localhost:5173', 'x-forwarded-proto': 'http' },
  { 'X-Client-IP': '127.0.0.1', 'X-Skip-Address': 'Main Street 1', 'X-Zip': '8000' },
  { forwarded: 'for="[::1]:4711";host="localhost:5173";by=203.0.113.43' },
])('takes a request that a proxy on this machine hands on for one of this machine: %j', (fields) => {
  expect(isForwardedWith(fields)).toBe(false);
});
