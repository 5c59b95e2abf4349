import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { drawCases, runsAllCases } from '../../fixtures/draw-cases.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';
import { loadCollections } from '../../fixtures/services/collections/catalogue.js';
import { followScript } from '../../fixtures/services/collections/script.ts';
import type { CollectionService } from '../../fixtures/services/collections/service.ts';

const minute = 60_000;
/** Long enough to stand in no text by chance, which a recording would hide. */
const long = 'good-token-of-the-test';
const folder = await mkdtemp(join(tmpdir(), 'cloche-collections-'));
const { correct, faulty, honest } = await loadCollections();
const servers: Server[] = [];

beforeAll(() => buildWhenStale(), 2 * minute);

afterAll(async () => {
  servers.forEach((server) => server.close());
  await rm(folder, { recursive: true, force: true });
});

async function start(
  id: string,
  token = 't',
): Promise<{ readonly service: CollectionService; readonly url: string }> {
  const service = [...correct, ...faulty, ...honest].find((each) => each.id === id);
  if (service === undefined) throw new Error(`there is no service ${id}`);
  const server = service.create({ token });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await writeFile(join(folder, `${id}.json`), JSON.stringify(service.document));
  // `as`: a server that listens on a port has an address with one.
  return { service, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const startProxy = (id: string, url: string, token = 't'): ReturnType<typeof startCommand> =>
  startCommand(
    ['proxy', url, '-d', `${id}.json`, '--port', '0', '--token', token, '--report', `json=${id}.proxy.json`],
    { folder, ready: /proxy on (http:\S+:\d+)\s/u },
  );

async function readFindings(name: string): Promise<readonly string[]> {
  const { findings } = JSON.parse(await readFile(join(folder, name), 'utf8'));
  return findings.map(({ level, check }: { level: string; check: string }) => `${level} ${check}`);
}

/** What a client sends and gets, as a recorder writes it down. */
async function record({ entry: { api } }: CollectionService, baseUrl: string): Promise<object> {
  const entries: object[] = [];
  const fields = (headers: Headers): object[] => [...headers].map(([name, value]) => ({ name, value }));
  let startedAt = Date.now();
  await followScript(api, baseUrl, async ([method, path, body, headers], answer) => {
    const text = await answer.text();
    const sent = new Headers({ Authorization: 'Bearer t', 'Content-Type': 'application/json', ...headers });
    const mimeType = sent.get('Content-Type');
    const postData = body === undefined ? {} : { postData: { mimeType, text: JSON.stringify(body) } };
    entries.push({
      startedDateTime: new Date(startedAt).toISOString(),
      time: 1,
      request: { method, url: `${baseUrl}${path}`, headers: fields(sent), ...postData },
      response: {
        status: answer.status,
        headers: fields(answer.headers),
        content: { mimeType: answer.headers.get('Content-Type'), text },
      },
    });
    // A client that waits a while between its requests.
    startedAt += 10;
  });
  return { log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } };
}

const seeded: readonly (readonly [id: string, found: string, code: number])[] = [
  ['limit-ignored', 'violation limit-ignored', 1],
  ['filter-ignored', 'violation filter-ignored', 1],
  ['location-of-one-before', 'violation location', 1],
  ['password-in-read', 'violation write-only-shown', 1],
  ['delete-does-nothing', 'warning deleted-still-there', 0],
  ['put-keeps-note', 'warning replace-is-partial', 0],
  ['patch-overlooks-null', 'warning merge-patch', 0],
  ['if-match-ignored-by-delete', 'warning precondition-ignored', 0],
  ['list-lacks-newest', 'warning list-lacks', 0],
  ['cursor-skips-one', 'warning page-gap', 0],
  ['created-in-memory-only', 'warning created-not-found', 0],
  ['name-cut-in-store', 'warning read-after-write', 0],
];

test.concurrent.each(drawCases(seeded, 3))(
  'traffic shows the fault %s (%s), as it passes and in a recording of the client',
  { timeout: 2 * minute },
  async (id, found, code) => {
    const { service, url } = await start(id);
    const proxy = await startProxy(id, url);
    const recording = await record(service, proxy.url);
    const passed = await proxy.stop();
    expect(await readFindings(`${id}.proxy.json`)).toContain(found);
    expect(passed.code).toBe(code);
    await writeFile(join(folder, `${id}.har`), JSON.stringify(recording));
    const words = [
      'check',
      `${id}.har`,
      '-d',
      `${id}.json`,
      '--token',
      't',
      '--report',
      `json=${id}.check.json`,
    ];
    const checked = await runCloche(words, { folder });
    expect(await readFindings(`${id}.check.json`)).toContain(found);
    expect(checked.code).toBe(code);
  },
);

test(
  'a warning shows the requests that it takes, and whom else it may be due to',
  { timeout: minute },
  async () => {
    const { service, url } = await start('delete-marks-only');
    const proxy = await startProxy('delete-marks-only', url);
    await record(service, proxy.url);
    const { output } = await proxy.stop();
    const [finding = ''] = /^WARNING What was deleted is still there[\s\S]*?\n\n/mu.exec(output) ?? [];
    expect(finding).toContain('unless another client changed it meanwhile');
    expect(finding).not.toContain('Bearer t');
    expect(finding).toMatch(/request {3}curl .*\n(?: {2}then .*\n)+ {2}seen/u);
  },
);

test.runIf(runsAllCases)(
  'two runs at once through a proxy, and their recordings, accuse no honest service',
  { timeout: 3 * minute },
  async () => {
    const id = 'workshop';
    const { url } = await start(id, long);
    const proxy = await startProxy(id, url, long);
    const run = (name: string) =>
      runCloche(
        ['test', proxy.url, '-d', `${id}.json`, '--runs', '1', '--report', `har=${id}.${name}.har`, '-q'],
        { folder, env: { CLOCHE_TOKEN: long } },
      );
    const runs = await Promise.all([run('one'), run('other')]);
    expect(runs.map(({ code, stdout }) => (code === 0 ? 0 : stdout))).toEqual([0, 0]);
    const { code, output } = await proxy.stop();
    expect([code, output]).toEqual([0, expect.stringMatching(/\nPASS {2}/u)]);
    expect((await readFindings(`${id}.proxy.json`)).filter((one) => one.startsWith('violation'))).toEqual([]);
    const files = ['one', 'other'].map((name) => `${id}.${name}.har`);
    const checked = await runCloche(['check', ...files, '-d', `${id}.json`, '--token', long], { folder });
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(/\nPASS {2}/u)]);
  },
);
