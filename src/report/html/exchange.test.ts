import { expect, test } from 'vitest';
import { renderMarkedText } from './exchange.ts';

/** With the tags that matter as brackets. */
function show(text: string, ...ranges: readonly (readonly [start: number, end: number])[]): string {
  return renderMarkedText(
    text,
    ranges.map(([start, end]) => ({ start, end })),
  )
    .html.replaceAll('<mark class="gap">‸</mark>', '[]')
    .replaceAll('<mark>', '[')
    .replaceAll('</mark>', ']')
    .replaceAll(/<span class="cut">(.*?)<\/span>/gu, '($1)');
}

test('marks stretches, places between characters and the end', () => {
  expect(show('abcdef', [1, 2], [3, 3], [6, 6])).toBe('a[b]c[]def[]');
});

test('takes marks in any order, over each other and past the end', () => {
  expect(show('abcdef', [4, 99], [1, 3], [2, 4])).toBe('a[bc][d][ef]');
});

test('escapes what is marked and what is not', () => {
  expect(show('<b>', [0, 1])).toBe('[&lt;]b&gt;');
});

test('tells a character that is named from the same letters', () => {
  expect(show('\u202E \\u{202e}')).toBe('<span class="esc">\\u{202e}</span> \\u{202e}');
});

test('shows a text of up to 2,400 characters whole', () => {
  expect(show('x'.repeat(2_400))).toBe('x'.repeat(2_400));
});

test('cuts a longer one after its start, and says how many bytes are left', () => {
  expect(show('é'.repeat(1_000_000))).toBe(`${'é'.repeat(800)}(… 1,998,400 bytes more)`);
});

test('shows what is marked far inside a long one', () => {
  const text = `${'a'.repeat(5_000)}XY${'b'.repeat(5_000)}`;
  expect(show(text, [5_000, 5_002])).toBe(
    `${'a'.repeat(800)}(… 3,800 bytes …)${'a'.repeat(400)}[XY]${'b'.repeat(400)}(… 4,600 bytes more)`,
  );
});

test('shows the ends of a mark that is long itself', () => {
  const text = 'x'.repeat(10_000);
  expect(show(text, [1, 9_999])).toBe(`x[${'x'.repeat(799)}](… 8,799 bytes …)[${'x'.repeat(400)}]x`);
});

test('never cuts a character in two', () => {
  const shown = renderMarkedText(`x${'\u{1F331}'.repeat(5_000)}`, [{ start: 4_001, end: 4_003 }]).html;
  expect(shown).not.toContain('class="esc"');
});
