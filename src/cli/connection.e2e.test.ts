import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { createForwardProxy } from '../../fixtures/proxy/create-forward-proxy.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';
import { loadCatalogue } from '../../fixtures/services/catalogue.js';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';

const minute = 60_000;
const token = 'the-token-of-staging';
const folder = await mkdtemp(join(tmpdir(), 'cloche-connection-'));
const closer = createCloser();
const tlsFile = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url));
const read = (name: string): string => readFileSync(tlsFile(name), 'utf8');

beforeAll(() => buildWhenStale(), 2 * minute);
afterEach(() => closer.closeAll());
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a conforming service, behind TLS if options for that are given, and returns its base URL. */
async function startService(tls?: object): Promise<string> {
  const { conforming } = await loadCatalogue();
  const [service] = conforming;
  if (service === undefined) throw new Error('there is no conforming service');
  const plain = service.create({ token });
  if (tls === undefined) return `http://127.0.0.1:${await closer.listen(plain)}`;
  const server = createHttpsServer(tls, (request, response) => plain.emit('request', request, response));
  return `https://localhost:${await closer.listen(server)}`;
}

/** A service that accepts only clients with the certificate of the fixtures. */
function startStrictService(): Promise<string> {
  return startService({
    key: read('localhost.key'),
    cert: read('localhost.cert'),
    ca: read('client.cert'),
    requestCert: true,
    rejectUnauthorized: true,
  });
}

const trust = ['--ca', tlsFile('localhost.cert')];
const clientWords = ['--client-cert', tlsFile('client.cert'), '--client-key', tlsFile('client.key')];

function runTest(...words: readonly string[]): ReturnType<typeof runCloche> {
  return runCloche(['test', ...words, '--token', token, '--runs', '3', '--seed', '1'], { folder });
}

function createPlant(baseUrl: string): ReturnType<typeof fetch> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(`${baseUrl}/plants`, { method: 'POST', headers, body: '{"id":7,"name":"Basil"}' });
}

test('test presents the client certificate on every connection', { timeout: 2 * minute }, async () => {
  const url = await startStrictService();
  const without = await runTest(url, ...trust);
  expect(without.code).toBe(3);
  expect(without.stderr).toContain(
    'it may require a client certificate: pass --client-cert and --client-key',
  );
  // The suite of the framing uses raw connections.
  const suites = ['--suite', 'framing', '--suite', 'valid-bodies'];
  const { code, stdout, stderr } = await runTest(url, ...trust, ...clientWords, ...suites, '--verbose');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('nothing found in');
});

test('curl lines name the files of the client certificate', { timeout: 2 * minute }, async () => {
  const url = await startStrictService();
  const suites = ['--suite', 'valid-bodies', '--header', 'Accept: text/nothing', '--verbose'];
  const { stdout } = await runTest(url, ...trust, ...clientWords, ...suites);
  expect(stdout).toContain(
    `--cert '${tlsFile('client.cert')}' --key '${tlsFile('client.key')}' '${url}/plants'`,
  );
  expect(stdout).toContain(`--client-cert ${tlsFile('client.cert')} --client-key ${tlsFile('client.key')}`);
});

test('proxy presents the client certificate', { timeout: 2 * minute }, async () => {
  const url = await startStrictService();
  const words = ['proxy', url, '--port', '0', ...trust, ...clientWords];
  const { url: proxy, stop } = await startCommand(words, { folder, ready: /proxy on (http:\S+:\d+)\s/u });
  expect((await createPlant(proxy)).status).toBe(200);
  expect((await stop()).code).toBe(0);
});

/** Starts a forward proxy with a secret password. */
async function startForwardProxy(
  how: Parameters<typeof createForwardProxy>[0] = {},
): Promise<{ readonly proxy: string; readonly seen: readonly string[] }> {
  const { server, seen } = createForwardProxy({ credentials: 'me:hidden-one', ...how });
  return { proxy: `http://me:hidden-one@127.0.0.1:${await closer.listen(server)}`, seen };
}

test(
  'test reaches a service only through the proxy, and finds nothing in it',
  { timeout: 2 * minute },
  async () => {
    const { proxy, seen } = await startForwardProxy();
    for (const [url, trusted] of [
      [await startService(), []],
      [await startService({ key: read('localhost.key'), cert: read('localhost.cert') }), trust],
    ] as const) {
      const { code, stdout, stderr } = await runTest(url, ...trusted, '--proxy', proxy);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/nothing found in \d+ requests/u);
      expect(stdout).not.toContain('Framing of responses');
      expect(seen.filter((line) => line.startsWith('CONNECT')).length).toBeGreaterThan(1);
    }
  },
);

test('a proxy without tunnels leaves only raw connections untested', { timeout: 2 * minute }, async () => {
  const { proxy } = await startForwardProxy({ tunnels: false });
  const url = await startService();
  const { code, stdout } = await runTest(url, '--proxy', proxy, '--verbose');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /Framing of responses: the proxy 127\.0\.0\.1:\d+ of --proxy answered CONNECT [\d.:]+ with 403/u,
  );
});

test(
  'the proxy of the environment is used, and its password is hidden',
  { timeout: 2 * minute },
  async () => {
    const { proxy, seen } = await startForwardProxy();
    const url = await startService();
    const words = [
      '--header',
      'Accept: text/nothing',
      '--suite',
      'valid-bodies',
      '--report',
      'json=all.json',
    ];
    const args = ['test', url, '--token', token, '--runs', '3', ...words];
    const { stdout } = await runCloche(args, { folder, env: { HTTP_PROXY: proxy } });
    expect(stdout).toMatch(/--proxy "http:\/\/me:\$CLOCHE_TOKEN_\d@127\.0\.0\.1:\d+" 'http/u);
    expect(stdout).toMatch(/CLOCHE_TOKEN_\d='the password of the proxy'/u);
    expect(stdout + readFileSync(join(folder, 'all.json'), 'utf8')).not.toContain('hidden-one');
    const count = seen.length;
    expect(count).toBeGreaterThan(3);
    await runCloche(args, { folder, env: { HTTP_PROXY: proxy, NO_PROXY: 'x,127.0.0.0/8' } });
    expect(seen).toHaveLength(count);
  },
);

test('a proxy that is not there is no failure of the service', { timeout: 2 * minute }, async () => {
  const dead = 'http://me:hidden-one@127.0.0.1:1';
  writeFileSync(join(folder, 'proxy.yaml'), `test: { proxy: "${dead}" }\nlearn: { proxy: "${dead}" }\n`);
  const url = await startService();
  const start = `Failed to judge "${url}/": nothing listens on the proxy 127.0.0.1:1 of`;
  const byVariable = await runCloche(['test', url, '--token', token], { folder, env: { HTTP_PROXY: dead } });
  expect([byVariable.code, byVariable.stderr]).toEqual([
    3,
    expect.stringContaining(
      `${start} HTTP_PROXY. Correct HTTP_PROXY, or name the host of the service in NO_PROXY.`,
    ),
  ]);
  const { code, stderr } = await runTest(url, '--config', 'proxy.yaml', '--wait-for-service', '0.1');
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(
      /not ready .* of proxy in proxy\.yaml:1:9\. Correct proxy in .*, or leave it out\./u,
    ),
  ]);
  const learnt = await runCloche(['learn', url, '--token', token, '--config', 'proxy.yaml'], { folder });
  expect([learnt.code, learnt.stderr]).toEqual([3, expect.stringContaining('of proxy in proxy.yaml:2:10')]);
});

test('learn and proxy pass the proxy', { timeout: 2 * minute }, async () => {
  for (const tls of [undefined, { key: read('localhost.key'), cert: read('localhost.cert') }]) {
    const { proxy, seen } = await startForwardProxy();
    const url = await startService(tls);
    const words = [url, '--proxy', proxy, ...(tls === undefined ? [] : trust)];
    const learnt = await runCloche(
      ['learn', ...words, '--token', token, '--question', 'accept', '--trials', '1'],
      { folder },
    );
    expect(learnt.code).toBe(0);
    const count = seen.length;
    expect(count).toBeGreaterThan(0);
    const { url: own, stop } = await startCommand(['proxy', ...words, '--port', '0'], {
      folder,
      ready: /proxy on (http:\S+:\d+)\s/u,
    });
    expect((await createPlant(own)).status).toBe(200);
    expect(seen.length).toBeGreaterThan(count);
    expect((await stop()).code).toBe(0);
  }
});

test('cloche proxy answers 502 if its proxy requires credentials', { timeout: 2 * minute }, async () => {
  const { proxy } = await startForwardProxy();
  for (const url of ['http://127.0.0.1:1', 'https://127.0.0.1:1']) {
    const { url: own, stop } = await startCommand(
      ['proxy', url, '--port', '0', '--proxy', proxy.replace('hidden-one', 'other')],
      { folder, ready: /proxy on (http:\S+:\d+)\s/u },
    );
    const answer = await createPlant(own);
    expect([answer.status, await answer.text()]).toEqual([
      502,
      expect.stringMatching(/the proxy .* with 407/u),
    ]);
    await stop();
  }
});

test('commands wait for a service that starts later', { timeout: 2 * minute }, async () => {
  const port = await freePort();
  const { conforming } = await loadCatalogue();
  const words = ['test', `http://127.0.0.1:${port}`, '--wait-for-service', '100', '--token', token];
  const waiting = await startCommand([...words, '--runs', '3', '--suite', 'valid-bodies'], {
    folder,
    ready: /Waiting up to 100 s for (http:\S+)\n/u,
  });
  const service = conforming[0]?.create({ token });
  closer.closeLater(async () => void service?.close());
  service?.listen(port, '127.0.0.1');
  const { code, output } = await waiting.ended();
  expect([code, output.match(/Waiting/gu)]).toEqual([0, ['Waiting']]);
});

test('commands exit with 3 if the service is not ready in time', { timeout: 2 * minute }, async () => {
  for (const command of ['test', 'learn', 'proxy']) {
    const words = [command, 'http://127.0.0.1:1', '--wait-for-service', '0.2'];
    const { code, stderr } = await runCloche(words, { folder });
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('it was not ready after 0.2 s: nothing listens on 127.0.0.1:1.'),
    ]);
  }
});

test('reports have the reason why a service was not ready in time', { timeout: minute }, async () => {
  writeFileSync(join(folder, 'late.xml'), 'of an earlier run');
  const wait = ['--wait-for-service', '0.2', '--report', 'junit=late.xml'];
  const { code } = await runCloche(['test', 'http://127.0.0.1:1', ...wait], { folder });
  expect(code).toBe(3);
  const report = readFileSync(join(folder, 'late.xml'), 'utf8');
  expect(report).toContain('type="cannot-judge"');
  expect(report).toContain('it was not ready after 0.2 s');
});

const refused: readonly (readonly [words: readonly string[], message: RegExp])[] = [
  [['--client-cert', tlsFile('client.cert')], /"--client-cert": the key that belongs to it is missing/u],
  [['--client-key', tlsFile('client.key')], /"--client-key": the certificate that belongs to it is missing/u],
  [
    ['--client-cert', 'nowhere.pem', '--client-key', tlsFile('client.key')],
    /read the client certificate "nowhere\.pem": there is no such file/u,
  ],
  [
    ['--client-cert', tlsFile('client.cert'), '--client-key', tlsFile('localhost.key')],
    /"--client-cert and --client-key": the key is not that of the certificate/u,
  ],
  [
    ['--client-cert', tlsFile('client.key'), '--client-key', tlsFile('client.cert')],
    /Failed to use the client certificate of "--client-cert and --client-key"/u,
  ],
  [['--proxy', 'socks5://me:hidden-one@h:1'], /"--proxy socks5:\/\/\*\*\*@h:1": it is no http or https URL/u],
];

test.each(drawCases(refused, 2))('exits with 2 for %j', { timeout: minute }, async (words, message) => {
  for (const command of ['test', 'learn', 'proxy']) {
    const { code, stderr } = await runCloche([command, 'https://127.0.0.1:1', ...words], { folder });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  }
});
