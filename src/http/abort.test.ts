import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { abortListeners } from './abort.ts';

test('calls whoever listens when the signal aborts, and nobody who no longer does', () => {
  const controller = new AbortController();
  const called: string[] = [];
  const stays = (): unknown => called.push('stays');
  const leaves = (): unknown => called.push('leaves');
  abortListeners(controller.signal).add(stays).add(leaves);
  abortListeners(controller.signal).delete(leaves);
  controller.abort();
  expect(called).toEqual(['stays']);
});

test('adds one listener to the signal, however many listen', () => {
  const { signal } = new AbortController();
  for (let index = 0; index < 20; index += 1) {
    abortListeners(signal).add(() => undefined);
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});
