import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-inputs-'));
const har = fileURLToPath(new URL('../../fixtures/traffic/firefox.har', import.meta.url));
let requests = 0;
const server = createServer((_, response) => {
  requests += 1;
  response.end();
});

beforeAll(async () => {
  await buildWhenStale();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
}, 2 * minute);
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = { responses: { 200: { $ref: 'part.json' } } };
const inputs: Readonly<Record<string, string>> = {
  'api.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Inputs', version: '1' },
    paths: { '/notes': { get: read } },
  }),
  'part.json': JSON.stringify({ description: 'OK' }),
  'api.policy.json': '{"answers":{"echo":"exact"}}',
  'given.json': '{"answers":{}}',
  'known.json': '{"findings":[]}',
  'ca.json': '-----BEGIN CERTIFICATE-----',
  'traffic.har': readFileSync(har, 'utf8'),
};

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  mkdirSync(folder);
  for (const [name, text] of Object.entries(inputs)) writeFileSync(join(folder, name), text);
  symlinkSync('api.json', join(folder, 'symbolic.json'));
  linkSync(join(folder, 'api.json'), join(folder, 'hard.json'));
});

const toService = ['test', 'URL', '-d', 'api.json'];
const isInput = (name: string): string => `: the command reads the same file (${name}). Name another file.`;

test.each([
  [[...toService, '--report', 'json=api.json'], isInput('api.json')],
  [[...toService, '--report', 'har=symbolic.json'], isInput('api.json')],
  [[...toService, '--report', 'html=hard.json'], isInput('api.json')],
  [[...toService, '--report', 'junit=part.json'], isInput('part.json')],
  [[...toService, '--report', 'json=api.policy.json'], isInput('api.policy.json')],
  [[...toService, '--policy', 'given.json', '--report', 'json=given.json'], isInput('given.json')],
  [[...toService, '--baseline', 'known.json', '--report', 'json=known.json'], isInput('known.json')],
  [
    [...toService, '--baseline', 'new.json', '--update-baseline', '--report', 'json=new.json'],
    isInput('new.json'),
  ],
  [
    [...toService, '--report', 'json=out.json', '--report', 'har=./out.json'],
    ': another output of the command goes to the same file (out.json). Name another file.',
  ],
  [
    ['check', 'traffic.har', '-d', 'api.json', '--base-url', 'URL', '--report', 'har=traffic.har'],
    isInput('traffic.har'),
  ],
  [
    ['check', 'traffic.har', '-d', 'api.json', '--base-url', 'URL', '--report', 'har=api.policy.json'],
    isInput('api.policy.json'),
  ],
  [['proxy', 'URL', '-d', 'api.json', '--port', '0', '--report', 'json=part.json'], isInput('part.json')],
  [['bundle', 'api.json', '-o', 'symbolic.json'], isInput('api.json')],
  [['bundle', 'api.json', '-o', 'part.json'], isInput('part.json')],
  [['learn', 'URL', '-d', 'api.json', '-o', 'api.json'], isInput('api.json')],
  [['learn', 'URL', '-d', 'api.json', '--ca', 'ca.json', '-o', 'ca.json'], isInput('ca.json')],
])('%j replaces no input', { timeout: minute }, async (words, sentence) => {
  // `as`: it listens on a port.
  const { port } = server.address() as AddressInfo;
  requests = 0;
  const before = readdirSync(folder);
  const ended = await runCloche(
    words.map((word) => (word === 'URL' ? `http://127.0.0.1:${port}` : word)),
    { folder },
  );
  expect([ended.code, ended.stderr.trim(), requests]).toEqual([2, expect.stringContaining(sentence), 0]);
  expect(readdirSync(folder)).toEqual(before);
  for (const [name, text] of Object.entries(inputs)) {
    expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  }
});

test('two reports go to one device, and a baseline is updated in place', { timeout: minute }, async () => {
  const reports = ['--report', 'json=/dev/null', '--report', 'har=/dev/null'];
  const update = ['--baseline', 'known.json', '--update-baseline'];
  const words = ['test', '-d', 'api.json', '--policy', 'given.json', '--runs', '1', ...reports, ...update];
  const { stdout, stderr } = await runCloche(words, { folder });
  expect([stderr, stdout]).toEqual(['', expect.stringContaining('known.json: 0 findings added')]);
});
