import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { hasRedisServer, startRedisServer, withoutRedisServer } from '../../fixtures/redis-server.ts';
import { ask, documentOf, stories, tell } from '../../fixtures/resource-model.ts';
import { createMock } from './create-mock.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-model-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Two mocks share each store; the requests go to the one and the other in turn, over their ports. */
async function compare(nameStore: (run: number) => string): Promise<number> {
  let run = 0;
  let compared = 0;
  const property = fc.asyncProperty(stories, async (story) => {
    run += 1;
    const document = documentOf(story);
    const store = nameStore(run);
    const mocks = [await createMock(document, { store }), await createMock(document, { store })];
    const urls = await Promise.all(mocks.map(async (mock) => (await mock.listen()).url));
    let turn = 0;
    compared += await tell(story, (method, path, body) => {
      turn += 1;
      return ask(fetch, urls[turn % 2] ?? '')(method, path, body);
    });
    await Promise.all(mocks.map((mock) => mock.close()));
  });
  await fc.assert(property, { numRuns: 20 });
  return compared;
}

describe('two mocks of any collections answer any sequence of requests over their ports as a map of maps does', () => {
  test('on a file of SQLite', async () => {
    expect(await compare((run) => `file:${join(folder, `${run}.db`)}`)).toBeGreaterThan(20);
  });

  test.skipIf(!hasRedisServer)(`on a Redis ${hasRedisServer ? '' : withoutRedisServer}`, async () => {
    const redis = await startRedisServer();
    expect(await compare((run) => `${redis.url}?prefix=model-${run}`)).toBeGreaterThan(20);
    await redis.kill();
  });
});
