import { expect, test } from 'vitest';
import { createWaiters } from './request-log.ts';

const wait = { fits: (): boolean => true, count: 1, times: 1, timeoutMs: 60_000, signal: undefined };

test('lets everybody go whose time is over, who is aborted or who has waited long enough', async () => {
  const line = createWaiters();
  const controller = new AbortController();
  const waiting = [
    line.join({ ...wait, timeoutMs: 0 }),
    line.join({ ...wait, timeoutMs: Infinity }),
    line.join({ ...wait, signal: controller.signal }).catch((error: unknown) => error),
  ];
  expect(line.size).toBe(3);
  await waiting[0];
  expect(line.size).toBe(2);
  controller.abort('gone');
  expect(await waiting[2]).toBe('gone');
  line.end();
  await waiting[1];
  expect(line.size).toBe(0);
});

test('does not let anybody in who has aborted before', async () => {
  const line = createWaiters();
  await expect(line.join({ ...wait, signal: AbortSignal.abort('early') })).rejects.toBe('early');
  expect(line.size).toBe(0);
});
