import { expect, test } from 'vitest';
import { hostileText } from '../../../fixtures/create-run-events.ts';
import { escapeMarkdown, fenceCode, foldMarkdown } from './markdown.ts';

test('leaves Markdown nothing to take for a mark', () => {
  expect(escapeMarkdown('a | `b` <c> **d** [e](f) :x: @g $1$')).toBe(
    String.raw`a \| \`b\` \<c\> \*\*d\*\* \[e\](f) \:x\: \@g \$1\$`,
  );
  expect(escapeMarkdown('a\nb\r\nc')).toBe('a b  c');
  // eslint-disable-next-line no-control-regex -- what a page is not to hold
  expect(escapeMarkdown(hostileText)).not.toMatch(/[\u0000-\u001F\u202E]/u);
});

test('fences code with more backticks than it holds', () => {
  expect(fenceCode(['a ```` b'])).toBe('`````console\na ```` b\n`````');
  expect(fenceCode(['a'])).toBe('```console\na\n```');
});

test('keeps the title of a fold text, on one line', () => {
  const fold = foldMarkdown(`${hostileText}</summary>\n\n<b>`, ['a']);
  expect(fold.split('\n\n')).toEqual([
    expect.stringMatching(/^<details><summary>&lt;script&gt;/u),
    'a',
    '</details>',
    '',
  ]);
  expect(fold).toContain('|`&lt;/summary&gt;  &lt;b&gt;</summary>');
});
