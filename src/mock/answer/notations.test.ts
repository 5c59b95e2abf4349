import { expect, test } from 'vitest';
import { compileSchema } from '../../schema/compile.ts';
import { hasNotation, renderText } from './notations.ts';

test.each([
  ['application/xml', '<?xml version="1.0" encoding="UTF-8"?>\n<body><id>1</id></body>\n'],
  [
    'application/atom+xml; charset=utf-8',
    '<?xml version="1.0" encoding="UTF-8"?>\n<body><id>1</id></body>\n',
  ],
  ['application/xml-dtd', '{"id":1}'],
  ['text/plain; x=/xml', '{"id":1}'],
])('writes a value as %s', (contentType, text) => {
  expect(renderText(contentType, { id: 1 })).toBe(text);
});

test('leaves a text as it stands', () => {
  expect(renderText('text/xml', '<a/>')).toBe('<a/>');
});

test.each([
  ['a value', { beat: 61 }, 'data: {"beat":61}\n\n'],
  ['each item of a list', [{ beat: 61 }, 62], 'data: {"beat":61}\n\ndata: 62\n\n'],
  ['each line of a text', 'a\nb', 'data: a\ndata: b\n\n'],
  ['no text that has fields already', 'id: 1\ndata: a\n\n', 'id: 1\ndata: a\n\n'],
  ['no comment of the stream', ': ping\n\n', ': ping\n\n'],
])('frames %s as an event', (_, value, text) => {
  expect(renderText('text/event-stream', value)).toBe(text);
});

test.each([
  ['application/x-ndjson', [{ a: 1 }, 'b'], '{"a":1}\n"b"\n'],
  ['application/jsonl; charset=utf-8', { a: [1] }, '{"a":[1]}\n'],
  ['application/ndjson', [], ''],
  ['application/x-ndjson', '{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":2}\n'],
  ['application/json-seq', [1, 2], '\u001E1\n\u001E2\n'],
])('writes a JSON text for each item in %s', (contentType, value, text) => {
  expect(renderText(contentType, value)).toBe(text);
});

test.each([
  [
    'objects',
    [
      { a: 1, b: 'x,y' },
      { a: null, c: [1] },
    ],
    'a,b,c\r\n1,"x,y",\r\n,,[1]\r\n',
  ],
  ['an object', { 'the "a"': 'two\nlines' }, '"the ""a"""\r\n"two\nlines"\r\n'],
  ['lists', [[1, 2], [3]], '1,2\r\n3\r\n'],
  ['numbers', [1, 2], '1\r\n2\r\n'],
])('writes %s as CSV', (_, value, text) => {
  expect(renderText('text/csv; charset=utf-8', value)).toBe(text);
});

test('names the root element of XML by its component', () => {
  const nameAt = (pointer: string): string | undefined =>
    /<(\w+)>/u.exec(renderText('text/xml', 1, compileSchema({ schema: {}, pointer })))?.[1];
  expect(nameAt('/components/schemas/Seed')).toBe('Seed');
  expect(nameAt('/components/schemas/Seed/properties/id')).toBe('body');
  expect(nameAt('/paths/~1seed/get')).toBe('body');
});

test('knows which media types have a notation', () => {
  expect(
    ['application/atom+xml', 'text/csv; header=present', 'application/x-ndjson'].every(hasNotation),
  ).toBe(true);
  expect(['application/yaml', 'text/plain', 'application/xml-dtd'].some(hasNotation)).toBe(false);
});
