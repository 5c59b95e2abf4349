import { expect, test } from 'vitest';
import { markDifference } from './marks.ts';

function differ(sent: string, received: string): readonly [readonly string[], readonly string[]] {
  const marked = markDifference({ sent, received });
  return [
    marked.sent.map(({ start, end }) => sent.slice(start, end)),
    marked.received.map(({ start, end }) => received.slice(start, end)),
  ];
}

test.each([
  ['characters that differ', '"Basil"', '"Bosil"', ['a'], ['o']],
  ['escapes for what they stand for', String.raw`"caf\u00e9s"`, '"cafes"', [String.raw`\u00e9`], ['e']],
  ['no escape that differs only in its spelling', String.raw`"\u0041bc"`, '"Abd"', ['c'], ['d']],
  ['a pair of surrogates as one', String.raw`"\ud83c\udf31x"`, '"?x"', [String.raw`\ud83c\udf31`], ['?']],
  ['what was trimmed', '" Basil  "', '"Basil"', [' ', '  '], ['"Basil"']],
  ['what was cut off', '"Basil"', '"Ba"', ['sil'], ['"Ba"']],
  ['what was put around', '"\u{1F331}"', '"<\u{1F331}>"', ['"\u{1F331}"'], ['<', '>']],
  ['repeated characters', '"aaa"', '"aa"', ['a'], ['"aa"']],
  ['all of what became empty', '"a"', '""', ['a'], ['""']],
  ['all of other values', '7', '"7"', ['7'], ['"7"']],
])('marks %s', (_, sent, received, left, right) => {
  expect(differ(sent, received)).toEqual([left, right]);
});
