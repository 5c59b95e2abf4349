import { expect, test } from 'vitest';
import { createRedactor } from '../../http/redact.ts';
import { decodeForPage } from './exchange.ts';
import { markup, renderDuration } from './markup.ts';

test.each([
  ['markup', '</pre><script>alert(1)</script>', '&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['quotes and ampersands', `"'&lt;`, '&quot;&#39;&amp;lt;'],
  ['marks of direction', 'a\u202Eb\u2066', String.raw`a\u{202e}b\u{2066}`],
  ['controls', '\0\r\u001B[31m\u0085', String.raw`\u{0}\r\u{1b}[31m\u{85}`],
  ['line separators', '\u2028\u2029', String.raw`\u{2028}\u{2029}`],
  ['lone surrogates', '\uD800x', String.raw`\u{d800}x`],
  ['what has no width', 'a\u200Bb\uFEFF', String.raw`a\u{200b}b\u{feff}`],
  ['noncharacters', '\uFFFE', String.raw`\u{fffe}`],
])('escapes %s in content and in attributes', (_, text, escaped) => {
  expect(markup`<p title="${text}">${text}</p>`.html).toBe(`<p title="${escaped}">${escaped}</p>`);
});

test('leaves line ends, tabs and every other letter as they are', () => {
  expect(markup`${'a\n\tß\u{1F331}ש'}`.html).toBe('a\n\tß\u{1F331}ש');
});

test('takes pieces as they are, lists one after the other, and undefined for nothing', () => {
  expect(markup`<ul>${[markup`<li>${'<'}</li>`, undefined, [7, 'b']]}</ul>`.html).toBe(
    '<ul><li>&lt;</li>7b</ul>',
  );
});

test('does not read what is put into a template for a template', () => {
  expect(markup`<p>${'${x}\\n$&'}</p>`.html).toBe('<p>${x}\\n$&amp;</p>');
});

test('names bytes that are no UTF-8, beside characters that are', () => {
  const bytes = Uint8Array.from([0xff, 0x41, 0xc3, 0xa9, 0xc3, 0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x8c]);
  const text = decodeForPage(bytes, createRedactor([]));
  expect(markup`${text}`.html).toBe(String.raw`\xffAé\xc3\xed\xa0\x80\xf0\x9f\x8c`);
});

test('hides secrets among bytes that are no UTF-8', () => {
  const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from('s3cret-token'), Buffer.from([0xfe])]);
  const text = decodeForPage(bytes, createRedactor(['s3cret-token']));
  expect(markup`${text}`.html).toBe(String.raw`\xff[secret]\xfe`);
});

test.each([
  [0.0004, '0.0004 ms'],
  [0.41567, '0.416 ms'],
  [12.345, '12.3 ms'],
  [999.4, '999 ms'],
  [999.7, '1 s'],
  [1_234.5, '1.23 s'],
  [119_900, '120 s'],
  [125_000, '2 min 5 s'],
])('says %d ms as %s', (ms, words) => {
  expect(renderDuration(ms)).toBe(words);
});
