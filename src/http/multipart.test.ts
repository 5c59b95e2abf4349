import { expect, test } from 'vitest';
import { parseMultipart } from './multipart.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function parse(lines: readonly string[], boundary: string | undefined = 'b'): unknown {
  const parts = parseMultipart(encoder.encode(lines.join('\r\n')), boundary, 2);
  return typeof parts === 'string'
    ? parts
    : parts.map(({ name, contentType, content }) => [name, contentType, decoder.decode(content)]);
}

const field = (rest: string): string => `Content-Disposition: form-data; ${rest}`;

test('cuts a form into its parts, what stands before and behind them left out', () => {
  const lines = [
    'before',
    '--b',
    field('name="photo"; filename="; name=x"'),
    'content-TYPE: image/png',
    '',
    'two\r\nlines, --b among them',
    '--b  ',
    field('name=bare'),
    '',
    '',
    '--b--',
    'behind',
  ];
  expect(parse(lines)).toEqual([
    ['photo', 'image/png', 'two\r\nlines, --b among them'],
    ['bare', undefined, ''],
  ]);
});

test.each([
  [field(String.raw`name="a \"quoted\" one"`), 'a "quoted" one'],
  [field('name="a %22quoted%22 one"'), 'a "quoted" one'],
  [field('filename="x"; name="naïve"'), 'naïve'],
])('reads the name in %s', (disposition, name) => {
  expect(parse(['--b', disposition, '', 'x', '--b--'])).toEqual([[name, undefined, 'x']]);
});

test('takes what fetch writes', async () => {
  const form = new FormData();
  form.append('a "name"', 'text');
  form.append('file', new Blob([new Uint8Array([0, 255, 13, 10])], { type: 'image/png' }), 'f.png');
  const response = new Response(form);
  const boundary = response.headers.get('content-type')?.split('boundary=')[1];
  const parts = parseMultipart(new Uint8Array(await response.arrayBuffer()), boundary, 2);
  expect(parts).toMatchObject([{ name: 'a "name"' }, { name: 'file', contentType: 'image/png' }]);
  expect(typeof parts === 'string' ? parts : [...(parts[1]?.content ?? [])]).toEqual([0, 255, 13, 10]);
});

test.each([
  [['--b--'], undefined, 'its Content-Type names no boundary'],
  [['name=x'], 'b', 'it holds no line with its boundary, "b"'],
  [['--b', field('name="x"'), '', 'cut off'], 'b', 'it ends without the line that closes it'],
  [
    ['--bother', field('name="x"'), '', 'x', '--b--'],
    'b',
    'something stands behind its boundary in one line',
  ],
  [['--b', field('name="x"'), '--b--'], 'b', 'a part has no empty line behind its fields'],
  [
    ['--b', 'Content-Type: text/plain', '', 'x', '--b--'],
    'b',
    'a part has no Content-Disposition with a name',
  ],
  [[...[1, 2, 3].flatMap(() => ['--b', field('name=x'), '', '']), '--b--'], 'b', 'it has more than 2 parts'],
  [
    ['--b', field(`name="${'x'.repeat(16_384)}"`), '', 'x', '--b--'],
    'b',
    'the fields of a part have more than 16384 bytes',
  ],
  [
    ['--b', 'Content-Disposition: attachment; name="x"', '', 'x', '--b--'],
    'b',
    'a part has no Content-Disposition with a name',
  ],
])('says why %j is no form', (lines, boundary, reason) => {
  expect(parseMultipart(encoder.encode(lines.join('\r\n')), boundary, 2)).toBe(reason);
});
