import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { ParsedContent } from './codec.ts';
import { giveId, splitEvents } from './event-stream.ts';
import { findCodec } from './registry.ts';

function mediaOf(range: string, items: JsonObject) {
  const schema = compileSchema({ schema: { type: 'array', items }, pointer: '' });
  return { range, pointer: '', schema, isSequence: true };
}

function parse(type: string, text: string, { isOpen = false, items = {} } = {}): ParsedContent | undefined {
  const codec = findCodec(type);
  const read = isOpen ? codec?.parseStream : codec?.parse;
  return read?.(new TextEncoder().encode(text), mediaOf(type, items), type);
}

test.each([
  ['application/x-ndjson', '{"a":1}\n\n[2]\r\n"b"\n', [{ a: 1 }, [2], 'b']],
  ['application/jsonl', '1', [1]],
  ['application/jsonl', '', []],
  ['application/json-seq', '\u001E{"a":1}\n\u001E2\n', [{ a: 1 }, 2]],
])('reads the items of %s: %j', (type, text, value) => {
  expect(parse(type, text)).toEqual({ kind: 'value', value });
  expect(parse(type, text, { isOpen: true })).toEqual({ kind: 'value', value });
});

test('names the malformed line', () => {
  const reason = 'line 2: the text ends too early (column 3)';
  expect(parse('application/jsonl', '1\n{"\n3\n')).toMatchObject({ kind: 'malformed', reason });
  expect(parse('application/jsonl', '1\n{"\n3\n', { isOpen: true })).toMatchObject({ kind: 'malformed' });
});

test('skips only in a stream the item that did not arrive whole', () => {
  expect(parse('application/jsonl', '1\n{"a"')).toMatchObject({ kind: 'malformed' });
  expect(parse('application/jsonl', '1\n{"a"', { isOpen: true })).toEqual({ kind: 'value', value: [1] });
});

const event = {
  type: 'object',
  properties: { data: { type: 'object' }, event: { type: 'string' }, id: { type: 'string' } },
};

const readEvents = (text: string, items: JsonObject): ParsedContent | undefined =>
  parse('text/event-stream', text, { isOpen: true, items });

test('reads events as objects of their fields', () => {
  const text =
    ': hello\n\nevent: a\nid: 1\ndata: {"b":\ndata: 2}\n\nretry: 50\ndata:x\r\n\r\nevent: none\n\ndata: not whole\n';
  expect(readEvents(text, event)).toEqual({
    kind: 'value',
    value: [
      { event: 'a', id: '1', data: { b: 2 } },
      { retry: 50, data: 'x' },
    ],
  });
});

test('keeps a text that the schema wants as such', () => {
  expect(readEvents('data: 5\n\n', { properties: { data: { type: 'string' } } })).toEqual({
    kind: 'value',
    value: [{ data: '5' }],
  });
});

test('reads the JSON of data if the schema describes it alone', () => {
  expect(readEvents('data: {"beat":61}\n\n', { properties: { beat: {} } })).toEqual({
    kind: 'value',
    value: [{ beat: 61 }],
  });
});

test('finds that a text is no event stream', () => {
  expect(readEvents('{"beat":61}', event)).toMatchObject({ kind: 'malformed' });
  expect(readEvents('', event)).toEqual({ kind: 'value', value: [] });
});

test.each<[JsonValue, string]>([
  [{ event: 'a', id: '1', data: { b: 2 } }, 'id: 1\nevent: a\ndata: {"b":2}\n\n'],
  [{ data: 'two\nlines', retry: 5 }, 'retry: 5\ndata: two\ndata: lines\n\n'],
])('writes the event %j', (value, text) => {
  const media = mediaOf('text/event-stream', event);
  expect(findCodec('text/event-stream')?.serialize?.([value], media)).toBe(text);
});

test('gives ids to events without one', () => {
  const events = splitEvents('data: a\n\nid: x\ndata: b\n\n');
  expect(events.map(giveId)).toEqual(['id: 1\ndata: a\n\n', 'id: x\ndata: b\n\n']);
});
