import { expect, test } from 'vitest';
import { cutAround, markProblems } from './details.tsx';

test('keeps a short text whole', () => {
  expect(cutAround('x'.repeat(4_000), [])).toEqual([{ start: 0, end: 4_000 }]);
});

test('keeps the start of a long text, and what is around its first mark', () => {
  const text = 'x'.repeat(65_536);
  expect(cutAround(text, [])).toEqual([{ start: 0, end: 2_000 }]);
  expect(cutAround(text, [{ start: 30_000, end: 30_005 }])).toEqual([
    { start: 0, end: 2_000 },
    { start: 29_000, end: 31_000 },
  ]);
  expect(cutAround(text, [{ start: 2_500, end: 2_505 }])).toEqual([{ start: 0, end: 3_500 }]);
});

test('cuts no pair of surrogates in two', () => {
  expect(cutAround('x' + '🌱'.repeat(3_000), [])).toEqual([{ start: 0, end: 1_999 }]);
});

function marked(text: string, problems: Parameters<typeof markProblems>[1]): readonly string[] {
  return markProblems(text, problems).map(({ start, end }) => text.slice(start, end));
}

const reason = 'it is wrong';

test('marks the value that a pointer names, with its digits', () => {
  const text = '{"id":9007199254740993,"tags":["a",{"b":1.0}]}';
  expect(marked(text, [{ pointer: '/id', reason }])).toEqual(['9007199254740993']);
  expect(marked(text, [{ pointer: '/tags/1/b', reason }])).toEqual(['1.0']);
});

test('marks an object or an array at its ends', () => {
  expect(markProblems('[{"a":1}]', [{ pointer: '', reason }])).toEqual([
    { start: 0, end: 1 },
    { start: 8, end: 9 },
  ]);
});

test('marks the ends of the object that lacks a property', () => {
  expect(markProblems('{"a":{"b":1}}', [{ pointer: '/a/name', reason }])).toEqual([
    { start: 5, end: 6 },
    { start: 11, end: 12 },
  ]);
});

test('marks the place where a text is no JSON, a gap where it ends too soon', () => {
  expect(marked('{"id":1 "a"}', [{ position: 8, reason }])).toEqual(['"']);
  expect(markProblems('{"id":', [{ position: 6, reason }])).toEqual([{ start: 6, end: 6 }]);
});

test('marks in order, and nothing twice', () => {
  const problems = [
    { pointer: '/b', reason },
    { pointer: '/a', reason },
    { pointer: '/b', reason },
  ];
  expect(marked('{"a":1,"b":2}', problems)).toEqual(['1', '2']);
});

test('marks nothing for what lies elsewhere, or deep in what is not there', () => {
  expect(markProblems('{"a":1}', [{ reason }, { pointer: '/x/y/z', reason }])).toEqual([]);
});
