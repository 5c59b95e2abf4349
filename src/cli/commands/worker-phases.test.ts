import { expect, test } from 'vitest';
import { Phases } from './worker-phases.ts';

test('begins a phase when all parts have ended the one before', () => {
  const begun: string[] = [];
  const phases = new Phases(['a', 'b', 'c'], (part) => begun.push(part));
  phases.enter('a', 1, false);
  phases.enter('b', 1, false);
  expect(begun).toEqual([]);
  phases.enter('c', 1, false);
  expect(begun).toEqual(['a', 'b', 'c']);
  phases.enter('b', 2, false);
  expect(begun).toHaveLength(3);
});

test('lets one part after the other into a phase that needs the service alone', () => {
  const begun: string[] = [];
  const phases = new Phases(['a', 'b'], (part) => begun.push(part));
  phases.enter('a', 3, true);
  phases.enter('b', 3, true);
  expect(begun).toEqual(['a']);
  phases.leave('a');
  expect(begun).toEqual(['a', 'b']);
});

test('waits for no part that has ended', () => {
  const begun: string[] = [];
  const phases = new Phases(['a', 'b'], (part) => begun.push(part));
  phases.enter('a', 1, false);
  phases.leave('b');
  expect(begun).toEqual(['a']);
});
