import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { clocheMain, type Ended, runCloche } from '../../../fixtures/run-cloche.ts';
import { createMock } from '../../mock/create-mock.ts';
import type { Policy } from '../../policy/policy.ts';
import { readPolicyFile } from '../../policy/read-policy.ts';

const minute = 60_000;
const token = 'the-token-of-the-tests';
const plantStore = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'cloche-learn-'));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `cloche learn` on a mock that listens under a policy. */
async function learnMock(policy: Partial<Policy>, words: readonly string[]): Promise<Ended> {
  const mock = await createMock(plantStore, { policy, tokens: [token] });
  const { url } = await mock.listen();
  try {
    return await runCloche(['learn', url, ...words], { folder, env: { CLOCHE_TOKEN: token } });
  } finally {
    await mock.close();
  }
}

test('writes a policy that a mock takes, over a real connection', { timeout: 2 * minute }, async () => {
  const policy: Partial<Policy> = {
    'duplicate-key': 'conflict',
    'missing-credentials': { status: 403, body: 'empty' },
    'body-limit': { bytes: 65_536, status: 413 },
    constraints: { name: { maxLength: 255 } },
    'error-codes': { 'invalid-body': 1002 },
  };
  const words = ['-d', plantStore, '-o', 'learnt.json', '--trials', '2', '--ids', '1000-9000'];
  const { code, stdout, stderr } = await learnMock(policy, words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('duplicate-key           409 with an error body (2\u00A0of\u00A02)');
  expect(stdout).toMatch(
    /\n19 of 19 questions settled with \d+ requests, of which \d+ may have created something/u,
  );

  const file = join(folder, 'learnt.json');
  const read = await readPolicyFile(file);
  expect(read.policy).toMatchObject({ ...policy, 'accepted-tokens': 'listed', 'rate-limit': 'none' });
  expect(read.contract).toBe(plantStore);
  const text = await readFile(file, 'utf8');
  expect(text).not.toContain(token);
  expect(text).toContain('$CLOCHE_TOKEN');
  expect(text).toContain('"seen": "2 of 2"');
});

test(
  'writes YAML by the name of the file, and JSON to standard output without one',
  { timeout: minute },
  async () => {
    const words = ['--question', 'duplicate-key', '--trials', '1'];
    const toFile = await learnMock({ 'duplicate-key': 'replace' }, [...words, '-o', 'learnt.yaml']);
    expect(toFile).toMatchObject({ code: 0, stderr: '' });
    expect(toFile.stdout).toContain('cannot be distinguished from:');
    const written = await readFile(join(folder, 'learnt.yaml'), 'utf8');
    const [comment] = written.split('\n');
    expect(comment).toBe('# yaml-language-server: $schema=./node_modules/cloche/spec/policy.schema.json');
    expect(parse(written)).toMatchObject({
      answers: { 'duplicate-key': 'replace' },
      evidence: { operations: { createPlant: { 'duplicate-key': { alike: ['accept'], seen: '1 of 1' } } } },
    });
    const toOutput = await learnMock({}, words);
    expect(JSON.parse(toOutput.stdout)).toMatchObject({
      $schema: './node_modules/cloche/spec/policy.schema.json',
      answers: { 'duplicate-key': 'refuse' },
    });
    expect(toOutput.stderr).toContain('1 of 1 question settled');
  },
);

test('a dry run lists what it would send, and sends nothing', { timeout: minute }, async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // `as`: it listens on a port.
  const { port } = server.address() as AddressInfo;
  const words = ['learn', `http://127.0.0.1:${port}`, '--dry-run', '--trials', '1'];
  const { code, stdout } = await runCloche([...words, '--question', 'duplicate-key'], { folder });
  server.close();
  expect(code).toBe(0);
  expect(stdout).toMatch(/createPlant {2}duplicate-key: 2 requests\n {8}POST \/plants {2}\{"name":"/u);
  expect(stdout).toMatch(/\n3 requests, and never more than \d+\. Nothing was sent\.\n$/u);
  expect(requests).toBe(0);
});

test.each([
  [['http://127.0.0.1:1', '--question', 'duplicate-keys'], 2, 'Perhaps duplicate-key was meant'],
  [['http://127.0.0.1:1', '-o', 'policy.txt'], 2, 'End it with .json or .yaml'],
  [['http://127.0.0.1:1', '--trials', '0'], 2, '--trials'],
  [
    [],
    2,
    '<base-url> is missing. Write it as cloche learn http://127.0.0.1:8080, or write url: into cloche.yaml',
  ],
  [['http://u:p@127.0.0.1:1'], 2, '--token'],
  [['http://127.0.0.1:1'], 3, 'Pass --token, or set CLOCHE_TOKEN'],
  [['http://127.0.0.1:1', '--token', 't'], 3, 'Failed to judge "http://127.0.0.1:1/"'],
])('learn %j ends with %i', { timeout: minute }, async (words, code, sentence) => {
  const ended = await runCloche(['learn', ...words], { folder });
  expect(ended.code).toBe(code);
  expect(ended.stderr).toContain(sentence);
});

test.each([
  ['nowhere/policy.json', 'its folder does not exist'],
  ['folder.json', 'it is a folder'],
])('nothing is asked where %s cannot be written', { timeout: minute }, async (file, reason) => {
  await mkdir(join(folder, 'folder.json'), { recursive: true });
  const { code, stdout, stderr } = await learnMock({}, ['-o', file]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`Failed to write the policy "${file}": ${reason}.`);
});

test(
  'prints a policy that no command would read, and leaves the file as it was',
  { timeout: minute },
  async () => {
    const mock = await createMock(plantStore, { policy: { 'error-codes': { 'invalid-body': 1002 } } });
    async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
      const method = request.method ?? '';
      // `as`: Node gives repeated fields as lists, and no request of learn has any.
      const headers = request.headers as Record<string, string>;
      const answered = await mock.fetch(request.url ?? '/', { method, headers, ...body });
      const { 'content-length': _, ...fields } = Object.fromEntries(answered.headers);
      // A policy file holds codes of 32 bits.
      const text = (await answered.text()).replace('1002', '4000000000');
      response.writeHead(answered.status, fields).end(text);
    }
    const server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    // `as`: it listens on a port.
    const { port } = server.address() as AddressInfo;
    const before = 'answers:\n  accept: 406\n';
    await writeFile(join(folder, 'codes.yaml'), before);
    const words = ['--token', token, '--question', 'error-codes', '--trials', '1', '-o', 'codes.yaml'];
    const { code, stdout, stderr } = await runCloche(['learn', `http://127.0.0.1:${port}`, ...words], {
      folder,
    });
    server.close();
    await mock.close();
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^Failed to read "codes\.yaml": codes\.yaml:\d+:\d+: .*error-codes.*invalid-body/u,
      ),
    ]);
    expect(stdout).toContain('"invalid-body": 4000000000');
    expect(await readFile(join(folder, 'codes.yaml'), 'utf8')).toBe(before);
  },
);

test('one question asked again leaves the other answers as they were', { timeout: minute }, async () => {
  await writeFile(join(folder, 'kept.yaml'), 'answers:\n  duplicate-key: refuse\n  accept: 406\n');
  const words = ['--question', 'duplicate-key', '--trials', '1'];
  const again = await learnMock({ 'duplicate-key': 'conflict' }, [...words, '-o', 'kept.yaml']);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  const read = await readPolicyFile(join(folder, 'kept.yaml'));
  expect(read.policy).toEqual({ 'duplicate-key': 'conflict', accept: 406 });
  const other = await learnMock({}, [...words, '-d', plantStore, '-o', 'kept.yaml']);
  expect(other.code).toBe(2);
  expect(other.stderr).toContain('it is that of the document that ships with Cloche. Name that document');
});

test('told to end, it keeps what it has learnt', { timeout: minute }, async () => {
  const mock = await createMock(plantStore, { tokens: [token] });
  const { url } = await mock.listen();
  const child = spawn(process.execPath, [clocheMain, 'learn', url, '-o', 'begun.json', '--rate', '20'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', CLOCHE_TOKEN: token },
  });
  let said = '';
  child.stdout.on('data', (bytes) => {
    said += String(bytes);
    // Told again, it would end at once.
    if (said.includes('accepted-tokens') && !child.killed) {
      child.kill('SIGINT');
    }
  });
  const code = await new Promise((resolve) => {
    child.once('close', resolve);
  });
  await mock.close();
  expect(code).toBe(130);
  expect(said).toMatch(
    /\nInterrupted: \d+ of \d+ questions? settled so far with .*\nWritten to begun\.json\.\n$/u,
  );
  const { policy } = await readPolicyFile(join(folder, 'begun.json'));
  expect(policy).toMatchObject({ 'accepted-tokens': 'listed' });
  expect(policy).not.toHaveProperty('rate-limit');
});

test('a token that is turned away ends with 3', { timeout: minute }, async () => {
  const { code, stderr } = await learnMock({}, ['--token', 'another']);
  expect(code).toBe(3);
  expect(stderr).toContain('it rejected the token with 401');
  expect(stderr).not.toContain('another"');
});
