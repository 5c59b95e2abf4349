import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { clocheMain, runCloche } from '../../fixtures/run-cloche.ts';
import { loadCatalogue } from '../../fixtures/services/catalogue.js';

const minute = 60_000;
const token = 'good-token-of-the-test';
const folder = await mkdtemp(join(tmpdir(), 'cloche-proxy-'));
const running: ChildProcess[] = [];
const servers: Server[] = [];

beforeAll(() => buildWhenStale(), 2 * minute);

afterAll(async () => {
  running.forEach((child) => child.kill('SIGKILL'));
  servers.forEach((server) => server.close());
  await rm(folder, { recursive: true, force: true });
});

interface Running {
  readonly url: string;
  /** Tells it to stop, and waits for its end. */
  stop(): Promise<{ readonly code: unknown; readonly output: string }>;
}

async function start(words: readonly string[], ready: RegExp): Promise<Running> {
  const child = spawn(process.execPath, [clocheMain, ...words], { cwd: folder });
  running.push(child);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (bytes: unknown): void => {
      output += String(bytes);
      const [, found] = ready.exec(output) ?? [];
      if (found !== undefined) {
        resolve(found);
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${output}`)));
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await once(child, 'close');
      return { code, output };
    },
  };
}

const startProxy = (baseUrl: string, ...words: string[]): Promise<Running> =>
  start(['proxy', baseUrl, '--port', '0', '--token', token, ...words], /proxy on (http:\S+:\d+)\s/u);

async function startService(id: string): Promise<string> {
  const { faulty } = await loadCatalogue();
  const server = faulty.find((service) => service.id === id)?.create({ token });
  if (server === undefined) {
    throw new Error(`there is no service ${id}`);
  }
  return listen(server);
}

async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // `as`: a server that listens on a port has an address with one.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const testThrough = (url: string): ReturnType<typeof runCloche> =>
  runCloche(['test', url, '--runs', '10'], { folder, env: { CLOCHE_TOKEN: token } });

test(
  'the suites through the proxy come to what they come to directly, and so does the proxy: a clean mock',
  { timeout: 2 * minute },
  async () => {
    const mock = await start(['mock', '--port', '0', '--token', token, '-q'], /mocked on (http:\S+:\d+)\n/u);
    const proxy = await startProxy(mock.url, '--report', 'json=clean.json');
    const through = await testThrough(proxy.url);
    expect([through.code, through.stdout]).toEqual([0, expect.stringContaining('No violation, no advice.')]);
    const { code, output } = await proxy.stop();
    await mock.stop();
    expect([code, output]).toEqual([0, expect.stringContaining('No violation, no advice.')]);
    expect(output).toMatch(/^ +\d+ [\d:]{8} POST {4}\/plants +200 +[\d.]+ ms {2}createPlant$/mu);
    expect(output).not.toContain(token);
    expect(JSON.parse(await readFile(join(folder, 'clean.json'), 'utf8')).findings).toEqual([]);
  },
);

test(
  'the proxy finds the fault that a run finds, tells it as it is first seen, and ends with 1',
  { timeout: 2 * minute },
  async () => {
    const url = await startService('500-on-non-ascii');
    const proxy = await startProxy(url, '--quiet', '--report', 'json=faulty.json', '--mark');
    const through = await testThrough(proxy.url);
    expect([through.code, through.stdout]).toEqual([1, expect.stringContaining('[server-error-')]);
    const { code, output } = await proxy.stop();
    expect([code, output]).toEqual([1, expect.stringContaining('[server-error-')]);
    expect(output).not.toContain('POST    /plants');
    const { findings } = JSON.parse(await readFile(join(folder, 'faulty.json'), 'utf8'));
    expect(new Set(findings.map(({ check }: { check: string }) => check))).toEqual(new Set(['server-error']));
  },
);

test(
  'ends with 2 where its port is taken, and with 3 where nothing passed',
  { timeout: minute },
  async () => {
    const url = await listen(createServer());
    const taken = await runCloche(['proxy', url, '--port', new URL(url).port], { folder });
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('another program has the port')]);
    const idle = await (await startProxy(url)).stop();
    expect([idle.code, idle.output]).toEqual([3, expect.stringContaining('nothing passed')]);
  },
);
