import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-cli-'));
const running: ChildProcess[] = [];
const servers: Server[] = [];

beforeAll(() => buildWhenStale(), 2 * minute);

afterAll(async () => {
  running.forEach((child) => child.kill('SIGKILL'));
  servers.forEach((server) => server.close());
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function cloche(words: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const environment = { PATH: process.env['PATH'] ?? '', ...env };
    execFile(
      process.execPath,
      [main, ...words],
      { env: environment, cwd: folder },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
}

async function startMock(
  words: readonly string[],
): Promise<{ url: string; child: ChildProcess; output: () => string }> {
  const child = spawn(process.execPath, [main, 'mock', '--port', '0', ...words], { cwd: folder });
  running.push(child);
  let output = '';
  child.stderr.on('data', (bytes) => {
    output += String(bytes);
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      output += String(bytes);
      const [found] = /http:\/\/127\.0\.0\.1:\d+/u.exec(output) ?? [];
      if (found !== undefined) {
        resolve(found);
      }
    });
    child.once('exit', (code) => reject(new Error(`the mock ended with ${code}: ${output}`)));
  });
  return { url, child, output: () => output };
}

function create(url: string, body: string, token = 't'): Promise<Response> {
  return fetch(`${url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body,
  });
}

test(
  'test without a base URL runs the suites on the in-process mock and finds nothing',
  { timeout: minute },
  async () => {
    const { code, stdout } = await cloche(['test', '--seed', '7', '--runs', '40']);
    expect(stdout).toMatch(
      /no violation, no advice\.\n\d+ properties, [\d,]+ cases, [\d,]+ requests in [\d.]+ s\. Seed 7\./u,
    );
    expect(code).toBe(0);
  },
);

test(
  'mock answers on a port, logs each request without its token, and ends with 0 on SIGTERM',
  { timeout: minute },
  async () => {
    const { url, child, output } = await startMock(['--token', 't', '--token', 'another-token']);
    const answer = await create(url, '{"id":1,"name":"Basil"}', 'another-token');
    expect([answer.status, await answer.json()]).toEqual([200, { name: 'Basil' }]);
    expect((await create(url, '{"id":1,"name":"Basil"}', 'wrong-token')).status).toBe(401);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(output()).toMatch(
      /POST \/plants 200 .*\n.*POST \/plants 401 .*invalid-credentials: .*\(undeclared: invalid-credentials\)/u,
    );
    expect(output()).not.toMatch(/another-token|wrong-token/u);
  },
);

test(
  'mock says at start that it accepts any token, and how to restrict it',
  { timeout: minute },
  async () => {
    const { url, output } = await startMock([]);
    expect((await create(url, '{"id":1,"name":"Basil"}', 'whatever')).status).toBe(200);
    expect(output()).toContain('Any token is accepted');
  },
);

test('mock takes its tokens from a file', { timeout: minute }, async () => {
  await writeFile(join(folder, 'tokens'), 'one\n\ntwo\n');
  const { url } = await startMock(['--token-file', 'tokens']);
  expect((await create(url, '{"id":1,"name":"Basil"}', 'two')).status).toBe(200);
  expect((await create(url, '{"id":2,"name":"Basil"}', 'three')).status).toBe(401);
});

test('a port in use is one clear sentence and exit code 2', { timeout: minute }, async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await cloche(['mock', '--port', String(port), '--token', 't']);
  server.close();
  expect(stderr).toMatch(new RegExp(`^Failed to listen on "127\\.0\\.0\\.1:${port}": .*\\.\n$`, 'u'));
  expect(code).toBe(2);
});

async function startService(answerTo: (body: string) => [status: number, body: string]): Promise<string> {
  const server = createHttpServer((request, response) => {
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
    expect(stdout).toContain('[server-error]');
    expect(stdout).not.toContain('secret-token');
    const line =
      stdout
        .split('[server-error]')[1]
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
    const replay = /--seed (\d+) --path '([^']+)'/u.exec(stdout.split('[server-error]')[1] ?? '');
    const again = await cloche(['test', url, '--seed', replay?.[1] ?? '', '--path', replay?.[2] ?? ''], {
      CLOCHE_TOKEN: 'secret-token',
    });
    expect(again.stdout).toContain('[server-error]');
    expect(again.code).toBe(1);
  },
);

test.each([
  [
    3,
    ['test', 'http://127.0.0.1:1', '--token', 'x'],
    /^Failed to judge "http:\/\/127\.0\.0\.1:1\/": nothing listens on 127\.0\.0\.1:1/u,
  ],
  [
    3,
    ['test', 'http://127.0.0.1:1'],
    /asks for credentials, and none were given\. Pass --token, or set CLOCHE_TOKEN\./u,
  ],
  [
    2,
    ['test', 'ftp://here', '--token', 'x'],
    /Failed to read the base URL "ftp:\/\/here": it is no http or https URL/u,
  ],
  [2, ['test', '--runs', 'many'], /Failed to read the option "--runs NaN"/u],
  [
    2,
    ['test', '--suite', 'nonsense'],
    /Failed to find the suite "nonsense": there is none of that name\. Choose among /u,
  ],
  [2, ['test', '--document', 'nowhere.yaml'], /^Failed to /u],
  [2, ['test', '--ids', '5-1'], /Failed to read the option "--ids 5-1"/u],
  [2, ['test', '--path', 'nonsense/nothing:0'], /Failed to replay "nonsense\/nothing:0"/u],
  [
    2,
    ['test', 'http://127.0.0.1:1', '--header', 'broken', '--token', 'x'],
    /Failed to read the option "--header broken"/u,
  ],
  [2, ['test', '--nonsense'], /Unknown argument: nonsense/u],
  [
    2,
    ['mock', '--port', '99999'],
    /Failed to read the option "--port 99999": it takes a whole number from 0 to 65535/u,
  ],
  [2, ['mock', '--token-file', 'nowhere'], /Failed to read tokens from "nowhere": there is no such file/u],
  [2, [], /No command is given/u],
] as const)(
  'ends with %i for cloche %j, and says why',
  { timeout: minute },
  async (exitCode, words, message) => {
    const { code, stderr, stdout } = await cloche(words);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
    expect([code, stdout.includes('Failed')]).toEqual([exitCode, false]);
  },
);

test('a token that is turned away cannot be judged: exit code 3', { timeout: minute }, async () => {
  const url = await startService(() => refusal);
  const { code, stderr } = await cloche(['test', url, '--token', 'other-secret']);
  expect(stderr).toMatch(
    /it turns the given token away with 401\. Pass a token that it accepts with --token\./u,
  );
  expect([code, stderr.includes('other-secret')]).toEqual([3, false]);
});

test('help names every command and option, and examples', { timeout: minute }, async () => {
  const [all, one] = await Promise.all([cloche(['--help']), cloche(['test', '--help'])]);
  expect(all.stdout).toMatch(
    /cloche mock \[document\][\s\S]*cloche test \[base-url\][\s\S]*cloche completion/u,
  );
  for (const option of [
    'document',
    'token',
    'header',
    'suite',
    'runs',
    'seed',
    'path',
    'ids',
    'connections',
    'timeout',
    'rate',
    'rate-wait',
    'strict',
    'unsafe-methods',
    'insecure',
    'ca',
    'bail',
  ]) {
    expect(one.stdout).toContain(`--${option}`);
  }
  expect(one.stdout).toContain('Examples:');
  expect((await cloche(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
});
