import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { clocheMain, type Ended, runCloche } from '../../fixtures/run-cloche.ts';

const document = new URL('../../spec/plant-store.yaml', import.meta.url);
const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-cli-'));
const running: ChildProcess[] = [];

beforeAll(() => buildWhenStale(), 2 * minute);

afterAll(async () => {
  running.forEach((child) => child.kill('SIGKILL'));
  await rm(folder, { recursive: true, force: true });
});

const cloche = (words: readonly string[]): Promise<Ended> => runCloche(words, { folder });

async function startMock(
  words: readonly string[],
): Promise<{ url: string; child: ChildProcess; output: () => string }> {
  const child = spawn(process.execPath, [clocheMain, 'mock', '--port', '0', ...words], { cwd: folder });
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
      /\nCoverage: 1 of 1 operation answered with a success, .*\n\d+ properties, [\d,]+ cases, [\d,]+ requests in [\d.]+ s\. Seed 7\.\n\nPASS  .*: nothing found in [\d,]+ requests\n$/u,
    );
    expect(code).toBe(0);
  },
);

test(
  'a run without findings fits a screen, and less where less is asked for',
  { timeout: minute },
  async () => {
    const quick = ['--runs', '5', '--suite', 'valid-bodies', '--suite', 'accept'];
    const { stdout } = await cloche(['test', ...quick]);
    expect(stdout.split('\n').length).toBeLessThan(25);
    expect((await cloche(['test', ...quick, '--quiet'])).stdout).toMatch(/^PASS  [^\n]+\n$/u);
    expect((await cloche(['test', ...quick, '--verbose'])).stdout).toContain(
      '✓ valid-bodies/createPlant.plain',
    );
  },
);

test('a run that exercised less than --min-coverage demands ends with 1', { timeout: minute }, async () => {
  const responses = { 200: { description: 'It is there' } };
  // No text is both longer than 5 and shorter than 2 characters.
  const schema = { type: 'string', minLength: 5, maxLength: 2 };
  const parameters = [{ name: 'word', in: 'query', required: true, schema }];
  const half = {
    openapi: '3.1.0',
    info: { title: 'Half', version: '1' },
    paths: { '/a': { get: { responses } }, '/b': { get: { parameters, responses } } },
  };
  await writeFile(join(folder, 'half.json'), JSON.stringify(half));
  const { code, stdout } = await cloche([
    'test',
    '-d',
    'half.json',
    '--suite',
    'accept',
    '--min-coverage',
    '80',
  ]);
  expect(stdout).toMatch(
    /\nFAIL  .*1 of 2 operations \(50%\) answered with a success, where .* 80%; not tested: GET \/b \(.*\)\n$/u,
  );
  expect(code).toBe(1);
});

test('what only a service needs is refused where there is no base URL', { timeout: minute }, async () => {
  const { code, stderr } = await cloche(['test', '--token', 'secret']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('it is for a service, and no base URL is given'),
  ]);
});

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
      /POST +\/plants 200 .*\n.*POST +\/plants 401 .*undeclared invalid-credentials: /u,
    );
    expect(output()).not.toMatch(/another-token|wrong-token/u);
  },
);

test(
  'mock says at start where the inspector is, which tokens are good, and what to try',
  { timeout: minute },
  async () => {
    const { url, output } = await startMock([]);
    expect((await create(url, '{"id":7,"name":"Basil"}', 'whatever')).status).toBe(200);
    expect(output()).toContain(`The inspector is at ${url}/__cloche/.`);
    expect(output()).toContain(
      'Send a bearer token. Any value is accepted. To accept only some, start with --token.',
    );
    const [, line = ''] = /^Try it: (curl .*)$/mu.exec(output()) ?? [];
    const { stdout } = await promisify(execFile)('bash', ['-c', line]);
    expect(stdout).toMatch(/^HTTP\/1\.1 200 /u);
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
  [2, ['test', '--runs', 'many'], /"--runs many": it takes a whole number from 1 to 1000000/u],
  [2, ['test', '--runs', '-1'], /"--runs -1": it takes a whole number from 1 to 1000000/u],
  [
    2,
    ['test', '--seed', '99999999999999999999'],
    /"--seed 99999999999999999999": it takes a whole number from -2147483647 to 2147483647/u,
  ],
  [2, ['mock', '--port', '0', '--port', 'abc'], /"--port": it is given 2 times/u],
  [2, ['mock', '--port', '0', '--host='], /"--host": its value is empty/u],
  [2, ['mock', '--port', '0', '--watch=yes'], /"--watch yes": it is a switch, and takes no value but/u],
  [2, ['mock', '--port', 'abc'], /"--port abc": it takes a whole number from 0 to 65535/u],
  [2, ['test', '--token', 'hidden-one', '--token', 'hidden-two'], /"--token": it is given 2 times/u],
  [2, ['test', '--token', 'Bearer hidden-one'], /Failed to use "--token": it is for a service/u],
  [2, ['test', '--token', ''], /"--token": its value is empty/u],
  [2, ['test', '--token'], /"--token": its value is missing/u],
  [2, ['test', 'http://me:hidden-one@127.0.0.1:1/v1'], /"http:\/\/\*\*\*@127\.0\.0\.1:1\/v1": it carries/u],
  [2, ['test', 'me:hidden-one@127.0.0.1:1'], /"me:\*\*\*@127\.0\.0\.1:1": it carries/u],
  [
    2,
    ['test', '-H', 'Authorization Bearer hidden-one'],
    /"--header Authorization \*\*\*": there is no colon/u,
  ],
  [2, ['test', '-H', 'X-Key: hidden-one\u0001'], /"--header X-Key: \*\*\*": the value holds a control/u],
  [2, ['test', 'http://127.0.0.1:1', '-H', 'A:', 'hidden-one'], /Failed to read the argument "\*\*\*"/u],
  [2, ['test', '--ca', 'nowhere.pem'], /certificate authority "nowhere\.pem": there is no such file\./u],
  [2, ['test', '--ca', '.'], /certificate authority "\.": it is a folder\./u],
  [2, ['test', '--sede', '4'], /"--sede": there is none of that name\. Perhaps --seed was meant\./u],
  [2, ['test', '--no-such=hidden-one'], /"--no-such": there is none of that name/u],
  [2, ['tset'], /"tset": there is none of that name\. Perhaps cloche test was meant\./u],
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
  [2, ['test', '--nonsense'], /Failed to read the option "--nonsense": there is none of that name/u],
  [
    2,
    ['mock', '--port', '99999'],
    /Failed to read the option "--port 99999": it takes a whole number from 0 to 65535/u,
  ],
  [2, ['mock', '--token-file', 'nowhere'], /Failed to read tokens from "nowhere": there is no such file/u],
  [2, [], /no command is given/u],
] as const)(
  'ends with %i for cloche %j, and says why',
  { timeout: minute },
  async (exitCode, words, message) => {
    const { code, stderr, stdout } = await cloche(words);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/ {4}at |hidden-/u);
    expect([code, stdout.includes('Failed')]).toEqual([exitCode, false]);
  },
);

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
    'max-time',
    'strict',
    'unsafe-methods',
    'read-only',
    'keep',
    'insecure',
    'ca',
    'bail',
  ]) {
    expect(one.stdout).toContain(`--${option}`);
  }
  expect(one.stdout).toContain('Examples:');
  expect((await cloche(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
});

test('a token that is given again leaves the document alone', { timeout: minute }, async () => {
  const { url } = await startMock(['--token', 't', '--token', 'u', '--quiet', fileURLToPath(document)]);
  expect((await create(url, '{"id":1,"name":"Basil"}', 'u')).status).toBe(200);
});

test('every line of the help fits a terminal of 80 columns', { timeout: minute }, async () => {
  const commands = ['mock', 'test', 'explain', 'learn', 'check', 'proxy', 'bundle'];
  for (const words of [['--help'], ...commands.map((command) => [command, '--help'])]) {
    const { stdout } = await cloche(words);
    expect(stdout).toContain('Examples:');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }
});
