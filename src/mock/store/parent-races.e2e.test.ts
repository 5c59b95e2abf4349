import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { startCommand } from '../../../fixtures/proxy/start-command.ts';
import { hasRedisServer, startRedisServer, withoutRedisServer } from '../../../fixtures/redis-server.ts';
import { shopPaths } from '../../../fixtures/shops.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-parents-'));
const info = { title: 'Shops', version: '1' };
writeFileSync(join(folder, 'shops.json'), JSON.stringify({ openapi: '3.1.0', info, paths: shopPaths }));

beforeAll(buildWhenStale, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function send(url: string, method: string, id?: string): Promise<number> {
  const body = id === undefined ? null : JSON.stringify({ id });
  const answer = await fetch(url, { method, headers: { 'content-type': 'application/json' }, body });
  await answer.arrayBuffer();
  return answer.status;
}

async function list(url: string): Promise<readonly { readonly id: string }[]> {
  // `as`: the document declares a list of items.
  return (await (await fetch(url)).json()) as readonly { readonly id: string }[];
}

/** Deletes a shop in one process while both create below it; returns the orders and lines of the next shop of its id. */
async function race([one, two]: readonly [string, string], hasOrder: boolean): Promise<readonly unknown[]> {
  await send(`${one}/shops`, 'POST', 'a');
  if (hasOrder) await send(`${one}/shops/a/orders`, 'POST', 'b');
  const creates = [0, 1, 2, 3, 4, 5].flatMap((number) => [
    send(`${two}/shops/a/orders`, 'POST', `posted-${number}`),
    send(`${two}/shops/a/orders/put-${number}`, 'PUT', `put-${number}`),
    send(`${two}/shops/a/orders/b/lines`, 'POST', `line-${number}`),
  ]);
  const [deleted] = await Promise.all([send(`${one}/shops/a`, 'DELETE'), ...creates]);
  if (deleted !== 200) {
    for (const { id } of await list(`${one}/shops/a/orders`))
      await send(`${one}/shops/a/orders/${id}`, 'DELETE');
    await send(`${one}/shops/a`, 'DELETE');
    return [];
  }
  await send(`${one}/shops`, 'POST', 'a');
  await send(`${one}/shops/a/orders`, 'POST', 'b');
  const orders = await list(`${two}/shops/a/orders`);
  const lines = await list(`${two}/shops/a/orders/b/lines`);
  for (const { id } of orders) await send(`${one}/shops/a/orders/${id}`, 'DELETE');
  await send(`${one}/shops/a`, 'DELETE');
  return [...orders.filter(({ id }) => id !== 'b'), ...lines];
}

async function raceOn(store: string, deletedParent: 'cascade' | 'refuse'): Promise<readonly unknown[]> {
  const answers = [`deleted-parent=${deletedParent}`, 'unknown-key-replaced=create'];
  const words = ['mock', 'shops.json', '--port', '0', '--quiet', '--store', store];
  for (const answer of answers) words.push('--answer', answer);
  const start = () => startCommand(words, { folder, ready: /(http:\/\/127\S+)\n/u });
  const mocks = [await start(), await start()] as const;
  const left: unknown[] = [];
  for (let round = 0; round < 40; round += 1) {
    left.push(...(await race([mocks[0].url, mocks[1].url], deletedParent === 'cascade')));
  }
  await Promise.all(mocks.map((mock) => mock.stop()));
  return left;
}

test.each(['cascade', 'refuse'] as const)(
  'two mocks on one SQLite file leave no child of a deleted parent (deleted-parent: %s)',
  async (deletedParent) => {
    expect(await raceOn(`file:${deletedParent}.db`, deletedParent)).toEqual([]);
  },
);

describe.skipIf(!hasRedisServer)(`two mocks on one Redis ${withoutRedisServer}`, () => {
  test.each(['cascade', 'refuse'] as const)(
    'leave no child of a deleted parent (deleted-parent: %s)',
    async (deletedParent) => {
      const server = await startRedisServer();
      expect(await raceOn(server.url, deletedParent)).toEqual([]);
      await server.kill();
    },
  );
});
