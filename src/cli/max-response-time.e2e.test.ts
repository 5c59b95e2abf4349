import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';
import { createMock } from '../mock/create-mock.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-slow-'));
const document = fileURLToPath(new URL('../../fixtures/documents/articles.yaml', import.meta.url));
const path = '/articles';

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command against a mock that delays the list, by 300 ms each time if nothing else is given. */
async function run(
  words: readonly string[],
  rule: { readonly delay: number; readonly times?: number } = { delay: 300 },
): Promise<Ended> {
  await using mock = await createMock(document, { data: 'none' });
  const [list] = mock.contract.operations.filter(
    (each) => each.path.template === path && each.method === 'GET',
  );
  mock.faults.put({ operation: list?.id ?? '', ...rule });
  const { url } = await mock.listen();
  const usual = ['-d', document, '--runs', '1', '--seed', '1', '--suite', 'samples', '--suite', 'accept'];
  return await runCloche(['test', url, ...usual, ...words], { folder });
}

interface Latency {
  readonly limitMs: number | null;
  readonly operations: readonly { readonly operation: string; readonly p50: number; readonly max: number }[];
}

test('a service that responds later than the limit breaks it', { timeout: 3 * minute }, async () => {
  const words = ['--max-response-time', '100', '--report', 'json=run.json', '--report', 'html=run.html'];
  const { code, stdout } = await run(words);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^VIOLATION A response took too long \[too-slow-\w+\] listArticles/mu);
  expect(stdout).toMatch(/expected +a response within 100 ms\n +received +200 after \d+ ms/u);
  expect(stdout).toMatch(
    /Response times in ms, of 100 allowed:\n +p50 +p95 +p99 +max\n[^]* +listArticles +\d+/u,
  );
  // `as`: the report has its published schema.
  const { latency } = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')) as { latency: Latency };
  expect([latency.limitMs, latency.operations.length > 1]).toEqual([100, true]);
  const list = latency.operations.find(({ operation }) => operation === 'listArticles');
  expect(list?.p50).toBeGreaterThan(290);
  expect(await readFile(join(folder, 'run.html'), 'utf8')).toContain('Times by operation');
});

test('a high limit and a single hiccup break nothing', { timeout: 3 * minute }, async () => {
  const ended = await run(['--max-response-time', '60000']);
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  const hiccup = await run(['--max-response-time', '2000'], { delay: 3_000, times: 1 });
  expect(hiccup.stdout).not.toContain('too-slow');
  const unlimited = await run([]);
  expect(unlimited.code).toBe(0);
  expect(unlimited.stdout).not.toContain('Response times');
});

test('the in-process mock passes with a limit', { timeout: 2 * minute }, async () => {
  const words = ['test', '-d', document, '--max-response-time', '60000', '--suite', 'samples', '--verbose'];
  const { code, stdout } = await runCloche(words, { folder });
  expect(code).toBe(0);
  expect(stdout).toContain('Response times in ms, of 60000 allowed:');
});

test('check and proxy report an operation that is late twice', { timeout: 2 * minute }, async () => {
  // The wait for a connection is not a time of the service.
  const entry = (time: number, url: string): object => ({
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: time + 900,
    timings: { blocked: 900, send: 0, wait: time, receive: 0 },
    request: { method: 'GET', url, httpVersion: 'HTTP/1.1', headers: [], cookies: [], queryString: [] },
    response: {
      status: 200,
      httpVersion: 'HTTP/1.1',
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { size: 2, mimeType: 'application/json', text: '[]' },
    },
  });
  const check = async (times: readonly number[]): Promise<string> => {
    const entries = times.map((time) => entry(time, `http://127.0.0.1:8080${path}`));
    const har = { log: { version: '1.2', creator: { name: 'a browser', version: '1' }, entries } };
    await writeFile(join(folder, 'slow.har'), JSON.stringify(har));
    const words = ['check', 'slow.har', '-d', document, '--max-response-time', '100'];
    return (await runCloche(words, { folder })).stdout;
  };
  expect(await check([50, 400, 400])).toContain('[too-slow-');
  expect(await check([50, 400, 50])).not.toContain('too-slow');

  await using mock = await createMock(document, { data: 'none' });
  mock.faults.put({ delay: 300 });
  const { url: service } = await mock.listen();
  const words = ['proxy', service, '-d', document, '--port', '0', '--max-response-time', '100'];
  const { url, stop } = await startCommand(words, { folder, ready: /proxy on (http:\S+:\d+)\s/u });
  await fetch(`${url}${path}`);
  await fetch(`${url}${path}`);
  const { code, output } = await stop();
  expect([code, output]).toEqual([1, expect.stringContaining('A response took too long')]);
});
