import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createTextStyle } from '../errors/console-text.ts';
import { createRedactor } from '../http/redact.ts';
import { renderYamlFlow, showBytes, wrapText } from './format.ts';

test('breaks a line between words, and puts what follows in', () => {
  expect(wrapText('  expected  one of 200, 400 for a body', { width: 22, indent: 12 })).toEqual([
    '  expected  one of',
    '            200, 400',
    '            for a body',
  ]);
});

test('leaves a word that is longer than the line whole', () => {
  expect(wrapText('see https://example.org/a/long/way now', { width: 10, indent: 2 })).toEqual([
    'see',
    '  https://example.org/a/long/way',
    '  now',
  ]);
});

test('leaves a line as it is where there are no columns to fit', () => {
  expect(wrapText('a b c', { width: undefined, indent: 2 })).toEqual(['a b c']);
});

test('does not count the marks of a terminal', () => {
  const line = `${createTextStyle(true)('strong', 'one')} two`;
  expect(wrapText(line, { width: 7, indent: 2 })).toEqual([line]);
});

test.each([
  ['conflict', 'conflict'],
  ['yes', '"yes"'],
  [{ status: 403, body: 'empty' }, '{ status: 403, body: empty }'],
  [{ name: { maxLength: 255, pattern: '^\\S' } }, '{ name: { maxLength: 255, pattern: "^\\\\S" } }'],
  [['name', 'a b'], '[name, "a b"]'],
  [{}, '{}'],
])('writes %j as %s, which reads as the same', (value, text) => {
  expect(renderYamlFlow(value)).toBe(text);
  expect(parse(text, { version: '1.1' })).toEqual(value);
});

test.each(['utf-8', 'base64'])(
  'shows the beginning of very long content, and no secret at the cut: %s',
  (encoding) => {
    const most = 1_024 * 1_024;
    const start = Buffer.alloc(most - 3, encoding === 'base64' ? 0xff : 'a');
    const shown = showBytes(
      Buffer.concat([start, Buffer.from('hush-hush'), Buffer.alloc(most, 'b')]),
      createRedactor(['hush-hush']),
    );
    expect([shown.encoding, shown.of]).toEqual([encoding, 2 * most + 6]);
    const bytes = Buffer.from(shown.text, encoding === 'base64' ? 'base64' : 'utf8');
    expect([bytes.length, bytes.subarray(-4).toString('latin1')]).toEqual([
      most,
      `${start.toString('latin1', 0, 1)}[se`,
    ]);
  },
);
