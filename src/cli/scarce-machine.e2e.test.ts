import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { clocheMain, runCloche } from '../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-scarce-'));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!existsSync('/dev/full')).each(drawCases(['json', 'har', 'html', 'junit'], 2))(
  'says that a report is lost where its disk is full (skipped without /dev/full): %s',
  { timeout: minute },
  async (kind) => {
    const words = ['test', '--seed', '7', '--runs', '2', '--suite', 'valid-bodies'];
    const { code, stderr } = await runCloche([...words, '--report', `${kind}=/dev/full`], { folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining('the disk is full')]);
    expect(stderr).not.toMatch(/^ +at /mu);
  },
);

test.skipIf(process.platform === 'win32')(
  'tries a service on 100 connections with 64 open files (skipped on Windows)',
  { timeout: 2 * minute },
  async () => {
    const mock = await startCommand(['mock', '--port', '0', '--token', 't', '--quiet'], {
      folder,
      ready: /(http:\/\/\S+)\n/u,
    });
    const words = `test ${mock.url} --token t --seed 7 --runs 5 --connections 100 --suite valid-bodies`;
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `ulimit -n 64; exec "$0" "${clocheMain}" ${words}`, process.execPath],
      { cwd: folder, encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([
      expect.toBeOneOf([0, 3]),
      expect.not.stringMatching(/itself failed|^ +at /mu),
    ]);
    expect((await mock.stop()).code).toBe(0);
  },
);

test.skipIf(process.platform === 'win32')(
  'says that no file is left to it, and blames no service for it (skipped on Windows)',
  { timeout: 2 * minute },
  async () => {
    const responses = { 200: { description: 'OK' } };
    const names = Array.from({ length: 80 }, (_, index) => `/things${index}`);
    const paths = Object.fromEntries(names.map((path) => [path, { get: { responses } }]));
    const document = { openapi: '3.1.0', info: { title: 'Many', version: '1' }, paths };
    writeFileSync(join(folder, 'many.json'), JSON.stringify(document));
    // What is asked together stays under way together, each on a connection of its own.
    const service = createServer((_request, response) => {
      setTimeout(() => response.end(), 1_500);
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    const address = service.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const words = `test ${url} -d many.json --seed 7 --connections 100 --suite samples`;
    const script = `ulimit -n 64; exec "$0" "${clocheMain}" ${words}`;
    const child = spawn('sh', ['-c', script, process.execPath], { cwd: folder });
    let said = '';
    child.stderr.on('data', (bytes) => {
      said += String(bytes);
    });
    child.stdout.resume();
    const [code] = await once(child, 'close');
    service.closeAllConnections();
    service.close();
    expect([code, said]).toEqual([3, expect.stringContaining('this process may open no more files. Raise')]);
  },
);

interface Limited {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: () => string;
}

/** Starts a command that listens under a limit of the shell. */
async function startWithin(limit: string, words: string): Promise<Limited> {
  const script = `${limit}; exec "$0" "${clocheMain}" ${words}`;
  const child = spawn('sh', ['-c', script, process.execPath], { cwd: folder });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (bytes: unknown): void => {
      output += String(bytes);
      const [, found] = /(?:mocked|by proxy) on (\S+)\n/u.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => reject(new Error(`it ended with ${code}: ${output}`)));
  });
  return { child, url, output: () => output };
}

async function stop({ child, output }: Limited): Promise<readonly [code: unknown, output: string]> {
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  return [code, output()];
}

const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };

async function create(url: string, id: number): Promise<readonly [status: number, body: string]> {
  const body = JSON.stringify({ id, name: 'Basil'.repeat(2_000) });
  const answer = await fetch(`${url}/plants`, { method: 'POST', headers, body });
  return [answer.status, await answer.text()];
}

test.skipIf(process.platform === 'win32')(
  'reads a store whose disk is full, and answers 503 to what cannot be kept (skipped on Windows)',
  { timeout: minute },
  async () => {
    const words = 'mock --port 0 --token t --quiet --no-watch --store file:full.db';
    // What would be longer is refused as on a disk that is full: an error, and no signal.
    const mock = await startWithin("trap '' XFSZ; ulimit -f 800", words);
    const answers: (readonly [status: number, body: string])[] = [];
    while (answers.length < 200) answers.push(await create(mock.url, answers.length + 1));
    const kept = answers.filter(([status]) => status === 200).length;
    const refused = answers.find(([status]) => status !== 200);
    expect([...new Set(answers.map(([status]) => status))]).toEqual([200, 503]);
    expect(refused?.[1]).toMatch(/file:full\.db: the disk (?:is full|fails to read or write it)/u);
    expect((await create(mock.url, 1))[0]).toBeOneOf([400, 503]);
    const state = await fetch(`${mock.url}/__cloche/state/resources?collection=/plants&limit=1000`);
    expect([state.status, (await state.text()).split('"BasilBasil').length - 1]).toEqual([200, kept]);
    expect(mock.child.exitCode).toBeNull();
    const [code, output] = await stop(mock);
    expect([code, output.split('The store file:full.db is away: the disk').length - 1]).toEqual([0, 1]);
    expect(output).not.toMatch(/itself failed|^ +at /mu);
    const again = await startWithin('true', words);
    expect((await create(again.url, 1))[0]).toBe(400);
    expect((await create(again.url, 1_000))[0]).toBe(200);
    expect((await stop(again))[0]).toBe(0);
  },
);

test.skipIf(process.platform === 'win32')(
  'mocks and forwards with 64 open files, to 100 clients at once (skipped on Windows)',
  { timeout: minute },
  async () => {
    const mock = await startWithin('ulimit -n 64', 'mock --port 0 --token t --quiet --no-watch');
    const proxy = await startWithin('ulimit -n 64', `proxy ${mock.url} --port 0 --token t --quiet`);
    expect((await create(mock.url, 1))[0]).toBe(200);
    expect((await create(proxy.url, 2))[0]).toBe(200);
    for (const { url } of [mock, proxy]) {
      // Those that find no file left are closed, or wait until one is free.
      const clients = Array.from({ length: 100 }, (_, index) => create(url, 100 + index));
      await Promise.allSettled(clients);
      expect((await create(url, 1))[0]).toBe(400);
    }
    for (const running of [proxy, mock]) {
      const [code, output] = await stop(running);
      expect([0, 1]).toContain(code);
      expect(output).not.toMatch(/itself failed|^ +at /mu);
    }
  },
);

test('imports 20 MB while others are answered', { timeout: minute }, async () => {
  const mock = await startWithin('true', 'mock --port 0 --token t --quiet --no-watch');
  const plants = Array.from({ length: 10_000 }, (_, index) => ({ id: index + 1, name: 'Basil'.repeat(400) }));
  const progress = { isOver: false };
  const importing = fetch(`${mock.url}/__cloche/state/import?mode=replace`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ '/plants': plants }),
  }).finally(() => {
    progress.isOver = true;
  });
  let answered = 0;
  while (!progress.isOver) {
    const answer = await fetch(`${mock.url}/plants`, { method: 'POST', headers, body: '{}' });
    expect([answer.status, await answer.text()]).toEqual([400, expect.any(String)]);
    answered += 1;
  }
  expect(await (await importing).json()).toEqual({ added: 10_000, replaced: 0 });
  // At once, it would hold the others up until it is over.
  expect(answered).toBeGreaterThan(10);
  const state = await fetch(`${mock.url}/__cloche/state`);
  expect(await state.json()).toMatchObject({ collections: [{ name: '/plants', count: 10_000 }] });
  const last = await fetch(`${mock.url}/__cloche/state/resource?collection=/plants&key=10000`);
  expect([last.status, await last.text()]).toEqual([200, expect.stringContaining('BasilBasil')]);
  expect((await stop(mock))[0]).toBe(0);
});
