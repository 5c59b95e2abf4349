import { expect, test } from 'vitest';
import { describeAnswer } from './failures.ts';
import type { HeaderList } from './message.ts';

const json: HeaderList = [['Content-Type', 'application/json']];

function describeBody(body: Uint8Array | string, headers = json): string {
  return describeAnswer({ kind: 'response', response: { status: 200, headers, body: Buffer.from(body) } });
}

test('says status, media type and content on one line', () => {
  expect(describeBody('{"id":1}')).toBe('200 application/json “{"id":1}”');
  expect(describeBody('a\r\nb\0\u202E', [])).toBe('200 without Content-Type “a⏎b\\u{0}\\u{202e}”');
  expect(describeBody('')).toBe('200 without content');
  expect(describeBody(Buffer.from([0xff, 0xfe]))).toBe('200 application/json (2 bytes that are not UTF-8)');
});

test('shortens long content between characters', () => {
  expect(describeBody('🌱'.repeat(200))).toBe(`200 application/json “${'🌱'.repeat(120)}…” (800 bytes)`);
});

test('shortens content of more characters than an array can hold', () => {
  const body = Buffer.alloc(140_000_000, ' ');
  expect(describeBody(body)).toBe(`200 application/json “${' '.repeat(120)}…” (140000000 bytes)`);
});

test('says what came where there is no response', () => {
  const received = Buffer.from('HTTP/1.1 2');
  expect(describeAnswer({ kind: 'timed-out', afterMs: 5000, received: new Uint8Array() })).toBe(
    'no whole answer within 5000 ms (nothing came)',
  );
  expect(describeAnswer({ kind: 'dropped', reason: 'the connection was closed', received })).toBe(
    'the connection was closed (what came: “HTTP/1.1 2”)',
  );
  expect(describeAnswer({ kind: 'not-http', reason: 'it is odd', received })).toBe(
    'not HTTP/1.1: it is odd (what came: “HTTP/1.1 2”)',
  );
  expect(describeAnswer({ kind: 'unreachable', reason: 'nothing listens on localhost:1' })).toBe(
    'not reached: nothing listens on localhost:1',
  );
});
