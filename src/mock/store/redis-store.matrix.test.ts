import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMockClient } from '../../../fixtures/mock-client.ts';
import {
  hasRedisServer,
  type RedisCluster,
  startRedisCluster,
  withoutRedisServer,
} from '../../../fixtures/redis-server.ts';
import type { ClientResponse } from '../../../fixtures/service-client.ts';
import { storeLaws } from '../../../fixtures/store-laws.ts';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';
import { parseStoreUrl } from './driver.ts';
import { openRedisStore } from './redis-store.ts';
import type { Store } from './store.ts';

describe.skipIf(!hasRedisServer)(`a Redis Cluster ${withoutRedisServer}`, () => {
  let cluster: RedisCluster;

  beforeAll(async () => {
    cluster = await startRedisCluster();
  });

  afterAll(() => cluster.kill());

  function open(prefix: string): Promise<Store> {
    const url = parseStoreUrl(`${cluster.url}?prefix=${prefix}`, 'Orders');
    if (url.kind !== 'redis') throw new Error('This is no Redis.');
    return openRedisStore({ ...url, tell: () => undefined });
  }

  test.each(storeLaws.map((law, index) => ({ ...law, prefix: `law-${index}` })))(
    '$title',
    async ({ prove, prefix }) => {
      const [store, second] = [await open(prefix), await open(prefix)];
      await expect(prove(store, second)).resolves.toBeUndefined();
      await Promise.all([store.close(), second.close()]);
    },
  );

  function create(mock: Mock, id: number): Promise<ClientResponse> {
    return createMockClient(mock, { authorization: 'Bearer t' }).post('/plants', { id, name: 'Basil' });
  }

  /** Opens a mock whose keys are on a node. */
  async function openOn(port: number, tell: (sentence: string) => void): Promise<Mock> {
    let number = 0;
    while ((await cluster.nodeOf(`{on-${port}-${number}}`))?.port !== port) number += 1;
    const store = `${cluster.url}?prefix=on-${port}-${number}`;
    return createMock(undefined, { tokens: ['t'], store, warn: tell });
  }

  test('that loses a node answers 503 for the mocks on this node alone, until the node is back', async () => {
    const sentences: string[] = [];
    const mocks = await Promise.all(
      cluster.nodes.map(({ port }) => openOn(port, (sentence) => sentences.push(sentence))),
    );
    const createIn = async (id: number): Promise<readonly number[]> =>
      Promise.all(mocks.map(async (mock) => (await create(mock, id)).status));
    expect(await createIn(1)).toEqual([200, 200, 200]);

    await cluster.nodes[0]?.kill();
    expect(await createIn(2)).toEqual([503, 200, 200]);
    expect(await createIn(3)).toEqual([503, 200, 200]);
    expect(sentences).toEqual([expect.stringMatching(/^The store redis\+cluster:\S+ is away: /u)]);

    await cluster.nodes[0]?.restart();
    await expect.poll(() => createIn(9)).not.toContain(503);
    expect(await createIn(1)).toEqual([400, 400, 400]);
    expect(await createIn(4)).toEqual([200, 200, 200]);
    expect(sentences.slice(1)).toEqual([expect.stringMatching(/^The store redis\+cluster:\S+ is back, /u)]);
    await Promise.all(mocks.map((mock) => mock.close()));
  });
});
