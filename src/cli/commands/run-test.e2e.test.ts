import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { clocheMain, type Ended, runCloche } from '../../../fixtures/run-cloche.ts';
import { startMock } from '../../../fixtures/start-mock.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-test-'));
const running: ChildProcess[] = [];
const servers: Server[] = [];

beforeAll(() => buildWhenStale(), 2 * minute);

afterAll(async () => {
  running.forEach((child) => child.kill('SIGKILL'));
  servers.forEach((server) => server.close());
  await rm(folder, { recursive: true, force: true });
});

const cloche = (words: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  runCloche(words, { folder, env });

async function startService(
  answerTo: (body: string) => [status: number, body: string],
  onRequest: (headers: IncomingHttpHeaders) => void = () => undefined,
): Promise<string> {
  const server = createHttpServer((request, response) => {
    onRequest(request.headers);
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const isGood = request.headers.authorization === 'Bearer secret-token';
      const [status, text] = isGood ? answerTo(body) : [401, '{"error":401,"message":"who are you?"}'];
      response.writeHead(status, { 'Content-Type': 'application/json', 'WWW-Authenticate': 'Bearer' });
      response.end(text);
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const refusal: [number, string] = [400, '{"error":400,"message":"no"}'];

test(
  'test on a service that fails on an accent ends with 1 and prints the smallest request, which shows the fault when pasted',
  { timeout: minute },
  async () => {
    const url = await startService((body) => {
      // eslint-disable-next-line no-control-regex -- what a service that thinks in ASCII does
      return /[^\u0000-\u007F]/u.test(body) ? [500, '{}'] : refusal;
    });
    const { code, stdout } = await cloche(['test', url], { CLOCHE_TOKEN: 'secret-token' });
    expect(code).toBe(1);
    expect(stdout).toContain('[server-error-');
    expect(stdout).not.toContain('secret-token');
    const line =
      stdout
        .split('[server-error-')[1]
        ?.split('\n')
        .find((text) => text.includes('curl '))
        ?.replace(/^ +request +/u, '') ?? '';
    const shown = await new Promise<string>((resolve) => {
      execFile(
        'bash',
        ['-c', line],
        { env: { PATH: process.env['PATH'] ?? '', CLOCHE_TOKEN: 'secret-token' } },
        (_error, output) => resolve(output),
      );
    });
    expect(shown).toMatch(/^HTTP\/1\.1 500 /u);
    const replay = /--seed (\d+) --path '([^']+)'/u.exec(stdout.split('[server-error-')[1] ?? '');
    const again = await cloche(['test', url, '--seed', replay?.[1] ?? '', '--path', replay?.[2] ?? ''], {
      CLOCHE_TOKEN: 'secret-token',
    });
    expect(again.stdout).toContain('[server-error-');
    expect(again.code).toBe(1);
  },
);

test('a token that is turned away cannot be judged: exit code 3', { timeout: minute }, async () => {
  const url = await startService(() => refusal);
  const { code, stderr } = await cloche(['test', url, '--token', 'other-secret']);
  expect(stderr).toMatch(/it rejected the token with 401\. Pass a token that it accepts with --token\./u);
  expect([code, stderr.includes('other-secret')]).toEqual([3, false]);
});

const given = ['--header', 'X-Api-Key: open5', '-H', 'Cookie: sid=cookie-crumb; a=1', '-H', 'X-Hub: north'];

test('options that may be given again leave the base URL alone', { timeout: minute }, async () => {
  const seen: IncomingHttpHeaders[] = [];
  const url = await startService(
    () => refusal,
    (headers) => seen.push(headers),
  );
  const words = ['test', '--suite', 'accept', ...given, '--token', 'secret-token', url];
  expect((await cloche(words)).stdout).toContain(`Testing ${url}/`);
  expect(seen[0]).toMatchObject({
    'x-api-key': 'open5',
    'x-hub': 'north',
    authorization: 'Bearer secret-token',
  });
});

test(
  'a finding shows variables in the place of the token and of secret header fields, and replays with them',
  { timeout: minute },
  async () => {
    const url = await startService(() => [500, '{"echo":"open5 cookie-crumb secret-token"}']);
    const { code, stdout, stderr } = await cloche(
      ['test', url, '--suite', 'valid-bodies', '--runs', '5', ...given],
      {
        CLOCHE_TOKEN: 'secret-token',
      },
    );
    expect(code).toBe(1);
    expect(stdout + stderr).not.toMatch(/open5|cookie-crumb|secret-token/u);
    expect(stdout).toContain(
      `export CLOCHE_TOKEN='the token' CLOCHE_TOKEN_2='the value of --header X-Api-Key' CLOCHE_TOKEN_3='the value of --header Cookie'`,
    );
    expect(stdout).toContain(
      `test ${url} --header "X-Api-Key: $CLOCHE_TOKEN_2" --header "Cookie: $CLOCHE_TOKEN_3" --header 'X-Hub: north' --seed`,
    );
  },
);

test('a wrong token is made of nothing of the good one', { timeout: minute }, async () => {
  const server = createHttpServer((_request, response) => response.writeHead(500).end());
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { stdout } = await cloche(['test', url, '--suite', 'credentials', '--token', 'qqq']);
  expect(stdout).toContain('[server-error-');
  expect(stdout).not.toContain('qqq');
});

test('a service that cannot be reached is named without any secret', { timeout: minute }, async () => {
  const { code, stdout, stderr } = await cloche([
    'test',
    'http://127.0.0.1:1',
    ...given,
    '--token',
    'secret-token',
  ]);
  expect(code).toBe(3);
  expect(stdout + stderr).not.toMatch(/open5|cookie-crumb|secret-token/u);
});

test(
  'an interrupted run prints what was found, judges nothing that it broke off, and ends with 130',
  { timeout: minute },
  async () => {
    let requests = 0;
    let heard: () => void = () => undefined;
    const isSlow = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const server = createHttpServer((_request, response) => {
      requests += 1;
      // What comes before answers at once and shows a fault; the rest is left waiting.
      if (requests <= 3) {
        response.writeHead(500, { 'Content-Type': 'application/json' }).end('{}');
      } else {
        heard();
      }
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const words = [
      clocheMain,
      'test',
      url,
      '--token',
      't',
      '--timeout',
      '50000',
      '--connections',
      '1',
      '--suite',
      'valid-bodies',
    ];
    const child = spawn(process.execPath, words, { cwd: folder });
    running.push(child);
    let stdout = '';
    child.stdout.on('data', (bytes) => {
      stdout += String(bytes);
    });
    await isSlow;
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    server.closeAllConnections();
    expect(stdout).toMatch(/\nFAIL  .*: interrupted, .* so far in [\d,]+ requests/u);
    expect(stdout).not.toMatch(/\[timed-out\]|\[connection-dropped\]/u);
    expect(code).toBe(130);
  },
);

test(
  'a run that finds the service gone prints what was found, and the reason last',
  { timeout: minute },
  async () => {
    let requests = 0;
    const server = createHttpServer((_request, response) => {
      requests += 1;
      response.writeHead(500, { 'Content-Type': 'application/json', Connection: 'close' }).end('{}', () => {
        if (requests === 20) {
          server.close();
          server.closeAllConnections();
        }
      });
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const words = ['test', url, '--token', 't', '--suite', 'valid-bodies', '--connections', '1'];
    const { code, stdout, stderr } = await cloche(words);
    expect(stdout).toContain('[server-error-');
    expect(stdout).toMatch(/\nFAIL  .*: broken off, \d+ violations? so far in/u);
    expect(stderr).toMatch(/^Failed to judge "[^"]+": it went down during the run: nothing listens on/u);
    expect(code).toBe(3);
  },
);

test.each([[[]], [['--workers', '2']]])(
  'a run %j breaks off soon if the service begins to hang',
  { timeout: minute },
  async (more) => {
    let requests = 0;
    const server = createHttpServer((_request, response) => {
      requests += 1;
      if (requests > 20) return;
      response.writeHead(500, { 'Content-Type': 'application/json' }).end('{}');
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const words = ['test', url, '--token', 't', '--connections', '2', '--timeout', '1000', ...more];
    const { code, stdout, stderr } = await cloche(words);
    server.closeAllConnections();
    expect(stdout).toMatch(/\nFAIL  .*: broken off, /u);
    // A worker may begin when the service already hangs.
    const late =
      more.length === 0 ? 'never' : 'it does not answer POST /plants, a plain request, in time, twice';
    expect(stderr).toMatch(
      new RegExp(`it hangs since POST /plants: POST /plants, a plain request, was answered|${late}`, 'u'),
    );
    expect(code).toBe(3);
    // In each of three parts at most two requests hang together, and then two plain ones do.
    expect(requests).toBeLessThanOrEqual(20 + 3 * 4);
  },
);

test('a run on a service that is down ends with a verdict', { timeout: minute }, async () => {
  const { code, stdout, stderr } = await cloche(['test', 'http://127.0.0.1:9', '--token', 't']);
  expect(stdout).toMatch(
    /\n\nFAIL  .* on http:\/\/127\.0\.0\.1:9\/: broken off, nothing found so far in 0 requests\n$/u,
  );
  expect(stderr).toContain('nothing listens on 127.0.0.1:9');
  expect(code).toBe(3);
});

test('a replay says nothing of suites that it does not run', { timeout: minute }, async () => {
  const path = 'accept/createPlant.accept:3';
  const { stdout } = await cloche(['test', '--seed', '7', '--path', path]);
  expect(stdout).toContain('1 property, 1 case, ');
  expect(stdout).not.toMatch(/Not checked|Not applicable/u);
});

test.each([
  [['--path', 'valid-bodies/createPlant.plain:0'], 'a path leads to a case only together with the seed'],
  [['http://127.0.0.1:9/?token=hunter2'], 'it has a query or a fragment'],
  [['--ids', '1-2'], 'the range has 2 ids, but this run needs '],
])('refuses %j with a sentence', { timeout: minute }, async (words, reason) => {
  const { code, stderr, stdout } = await cloche(['test', ...words], { CLOCHE_TOKEN: 'secret-token' });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(reason);
  expect(stderr).not.toContain('hunter2');
});

test(
  'test on a service that asks to wait for longer than --max-time ends when that is over',
  { timeout: minute },
  async () => {
    const server = createHttpServer((_request, response) => {
      response.writeHead(429, { 'Retry-After': '40' });
      response.end();
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const run = (seconds: number): Promise<Ended> =>
      cloche(['test', url, '--token', 'secret-token', '--max-time', String(seconds)]);
    let ended = await run(3);
    // A slow machine may need longer than that to come to its first request.
    for (let seconds = 6; ended.stderr.includes('before the first request'); seconds *= 2) {
      ended = await run(seconds);
    }
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('its time was over before a case of any suite was tried');
  },
);

test(
  'test on a service whose changes require an If-Match sends the ETags of its items and gets successes',
  { timeout: 2 * minute },
  async () => {
    const document = fileURLToPath(new URL('../../../fixtures/documents/etags.yaml', import.meta.url));
    const { url } = await startMock(folder, [document]);
    const { code, stdout } = await cloche(['test', url, '-d', document, '--seed', '7', '--runs', '10']);
    expect(stdout).toMatch(/✓ replaceArticle +[\d,]+ requests: .*200 \d+×/u);
    expect(stdout).toContain('6 of 6 operations answered with a success');
    expect(code).toBe(0);
  },
);
