import { expect, test } from 'vitest';
import { isForwarded } from './access.ts';

function ask(fields: Readonly<Record<string, string>>): boolean {
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
  expect(ask(fields)).toBe(true);
});

test.each<Readonly<Record<string, string>>>([
  {},
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-for': '::1, ::ffff:127.0.0.1, 127.0.0.1:5000' },
  { 'x-forwarded-host': 'localhost:5173', 'x-forwarded-proto': 'http' },
  { 'X-Client-IP': '127.0.0.1', 'X-Skip-Address': 'Main Street 1', 'X-Zip': '8000' },
  { forwarded: 'for="[::1]:4711";host="localhost:5173";by=203.0.113.43' },
])('takes a request that a proxy on this machine hands on for one of this machine: %j', (fields) => {
  expect(ask(fields)).toBe(false);
});
