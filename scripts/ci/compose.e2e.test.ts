import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { hasRedisServer, startRedisServer, withoutRedisServer } from '../../fixtures/redis-server.ts';
import { startMock } from '../../fixtures/start-mock.ts';

const folder = fileURLToPath(new URL('../../examples/compose/', import.meta.url));

interface Container {
  readonly image: string;
  readonly command: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only: boolean;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

function readServices<Name extends string>(file: string): Readonly<Record<Name, Container>> {
  // `as`: the tests check the members that they use.
  return (parse(readFileSync(join(folder, file), 'utf8')) as { services: Record<Name, Container> }).services;
}

const services = readServices<'service' | 'mock' | 'redis'>('compose.yaml');
const balanced = readServices<'balancer' | 'mock' | 'redis'>('balanced.yaml');

const hasNginx =
  spawnSync('nginx', ['-v'], { env: { PATH: `${process.env['PATH']}:/usr/sbin` } }).status === 0;

beforeAll(buildWhenStale);

/** Returns a word of a container as it reads on this machine: files of volumes and addresses of other containers. */
function translate(word: string, container: Container, hosts: Readonly<Record<string, string>>): string {
  const files = (container.volumes ?? []).map((volume) => volume.split(':'));
  const found = files.find(([, inside]) => inside === word);
  return Object.entries(hosts).reduce(
    (text, [host, url]) => text.replace(host, () => url),
    found === undefined ? word : join(folder, found[0] ?? ''),
  );
}

async function startService(env: Readonly<Record<string, string>>): Promise<string> {
  const { service } = services;
  const [command = '', ...words] = service.command.map((word) => translate(word, service, {}));
  const child = spawn(command, words, { env: { PATH: process.env['PATH'] ?? '', ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => resolve(/\d+/u.exec(String(text))?.[0] ?? ''));
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
  return `http://127.0.0.1:${port}`;
}

describe.skipIf(!hasRedisServer)(`the services of the compose example ${withoutRedisServer}`, () => {
  test('work together, and the state outlives a restart of the mock', async () => {
    const redis = await startRedisServer();
    onTestFinished(() => redis.kill());
    const hosts = { 'redis://redis:6379': redis.url, '0.0.0.0': '127.0.0.1' };
    const [, ...words] = services.mock.command.map((word) => translate(word, services.mock, hosts));
    const first = await startMock(folder, words);
    const created = await fetch(`${first.url}/todos`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Water the ferns', done: false }),
    });
    expect(created.status).toBe(201);
    await first.stop();
    const second = await startMock(folder, words);
    const given = Object.entries(services.service.environment ?? {});
    const env = given.map(([name, value]) => [name, value.replace('http://mock:4010', second.url)]);
    // `as`: the entries of a record.
    const service = await startService({ ...(Object.fromEntries(env) as Record<string, string>), PORT: '0' });
    const response = await fetch(service);
    await expect(response.json()).resolves.toEqual({ done: 0, open: 1 });
    await second.stop();
    await expect(fetch(service)).resolves.toMatchObject({ status: 502 });
  });
});

/** Starts nginx with the configuration of the example, in front of some mocks. */
async function startBalancer(mocks: readonly string[]): Promise<string> {
  const port = await freePort();
  const own = mkdtempSync(join(tmpdir(), 'cloche-nginx-'));
  const servers = mocks.map((url) => `server ${new URL(url).host};`).join(' ');
  const configuration = readFileSync(join(folder, 'nginx.conf'), 'utf8')
    .replace('server mock:4010;', servers)
    .replace('listen 4010;', `listen 127.0.0.1:${port};`)
    .replaceAll('/tmp/', `${own}/`);
  writeFileSync(join(own, 'nginx.conf'), configuration);
  const child = spawn('nginx', ['-c', join(own, 'nginx.conf'), '-g', 'daemon off;'], {
    env: { PATH: `${process.env['PATH']}:/usr/sbin` },
    stdio: 'ignore',
  });
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await closed;
    rmSync(own, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  while (child.exitCode === null) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) return url;
    await wait(50);
  }
  throw new Error(`nginx ended with ${child.exitCode}`);
}

describe.skipIf(!hasRedisServer || !hasNginx)('the mocks behind a balancer (skipped without nginx)', () => {
  test('are one mock for their clients', async () => {
    const redis = await startRedisServer();
    onTestFinished(() => redis.kill());
    const hosts = { 'redis://redis:6379': redis.url, '0.0.0.0': '127.0.0.1' };
    const [, ...words] = balanced.mock.command.map((word) => translate(word, balanced.mock, hosts));
    const mocks = await Promise.all([startMock(folder, words), startMock(folder, words)]);
    onTestFinished(async () => void (await Promise.all(mocks.map((mock) => mock.stop()))));
    const url = await startBalancer(mocks.map((mock) => mock.url));
    const bodies = Array.from({ length: 10 }, (_, at) =>
      JSON.stringify({ title: `Fern ${at}`, done: false }),
    );
    for (const body of bodies) {
      const headers = { 'content-type': 'application/json' };
      const { status } = await fetch(`${url}/todos`, { method: 'POST', headers, body });
      expect(status).toBe(201);
    }
    for (const { url: one } of [...mocks, { url }]) {
      const list: unknown = await (await fetch(`${one}/todos`)).json();
      expect(list).toMatchObject({ items: bodies.map(() => ({})) });
    }
  });
});

test('all run on a read-only file system, with images of a fixed version', () => {
  const containers = [...Object.values(services), ...Object.values(balanced)];
  expect(containers.filter(({ read_only: isReadOnly }) => !isReadOnly)).toEqual([]);
  expect(containers.filter(({ image }) => !/:\d/u.test(image))).toEqual([]);
});

test('each starts after the container that it depends on is healthy', () => {
  expect(services.service.depends_on).toEqual({ mock: { condition: 'service_healthy' } });
  expect(services.mock.depends_on).toEqual({ redis: { condition: 'service_healthy' } });
  expect(balanced.balancer.depends_on).toEqual({ mock: { condition: 'service_healthy' } });
  expect(balanced.mock.depends_on).toEqual({ redis: { condition: 'service_healthy' } });
});
