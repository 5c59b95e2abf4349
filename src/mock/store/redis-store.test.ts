import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  hasRedisServer,
  type RedisServer,
  startRedisServer,
  withoutRedisServer,
} from '../../../fixtures/redis-server.ts';
import { storeLaws } from '../../../fixtures/store-laws.ts';
import { openRedisStore } from './redis-store.ts';
import type { Store } from './store.ts';

describe.skipIf(!hasRedisServer)(`a Redis store ${withoutRedisServer}`, () => {
  let server: RedisServer;
  let prefixes = 0;

  beforeAll(async () => {
    server = await startRedisServer();
  });

  afterAll(() => server.kill());

  function open(prefix: string, url = server.url): Promise<Store> {
    return openRedisStore({ url, prefix, place: 'redis://test', tell: () => undefined });
  }

  function freshPrefix(): string {
    prefixes += 1;
    return `test-${prefixes}`;
  }

  test.each(storeLaws)('$title', async ({ prove }) => {
    const store = await open(freshPrefix());
    await expect(prove(store)).resolves.toBeUndefined();
    await store.close();
  });
});
