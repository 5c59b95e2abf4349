import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../fixtures/build-when-stale.ts';
import { runCloche } from '../fixtures/run-cloche.ts';
import { loadCollections } from '../fixtures/services/collections/catalogue.js';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-honest-'));
const token = 'the-token-of-the-tests';
const { correct } = await loadCollections();
const workshop = correct.find(({ id }) => id === 'workshop');
let server: Server | undefined;
let url = '';

beforeAll(async () => {
  server = workshop?.create({ token }).listen(0, '127.0.0.1');
  if (server === undefined) return;
  await once(server, 'listening');
  // `as`: a server that listens on a port has such an address.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(folder, 'workshop.json'), JSON.stringify(workshop?.document));
  writeFileSync(join(folder, 'names.json'), '["Greenhouse", "Pond"]');
  await buildWhenStale();
}, 2 * minute);

afterAll(() => {
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ['--max-creates 0'],
  ['--max-creates 12 --max-response-time 60000 --value createProject.body:/name=@names.json'],
  ['--shard 1/2 --value status=open'],
  ['--shard 2/2'],
  ['--exclude-method DELETE --exclude-operation replace*'],
  ['--exclude-path /projects --isolated'],
])('test %s reports nothing about a conforming service', { timeout: 3 * minute }, async (options) => {
  const usual = ['test', url, '-d', 'workshop.json', '--credential', `bearer=${token}`];
  const few = ['--wait-for-service', '60', '--seed', '3', '--runs', '3', '--strict'];
  const { code, stdout, stderr } = await runCloche([...usual, ...few, ...options.split(' ')], { folder });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('nothing found');
});
