import { beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { createMock } from '../index.ts';

beforeAll(() => buildWhenStale(), 120_000);

test('shows the page of a mock that listens, which nobody handed it', async () => {
  await using mock = await createMock();
  const { url } = await mock.listen();
  const response = await fetch(`${url}/__cloche/`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await response.text()).toContain('<!doctype html>');
});

test('shows the page that it is given, and none where there is no control interface', async () => {
  const answer = { status: 200, headers: ['content-type', 'text/plain'], body: 'mine', note: {} };
  await using mock = await createMock(undefined, { inspector: () => Promise.resolve(() => answer) });
  expect(await (await mock.fetch('/__cloche/')).text()).toBe('mine');
  await using bare = await createMock(undefined, { control: false });
  expect((await bare.fetch('/__cloche/')).status).toBe(404);
});

test('refuses options that are none', async () => {
  // `as`: what the types refuse is what is tried.
  await expect(createMock(undefined, 'tokens' as never)).rejects.toThrow('it is no object of named options');
});
