import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../../fixtures/run-cloche.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-config-'));
const minute = 60_000;

beforeAll(async () => {
  await buildWhenStale();
  writeFileSync(join(folder, 'package.json'), '{}');
}, minute);
afterAll(() => rmSync(folder, { recursive: true }));

const env = { API_TOKEN: 's3cret-token', KEY: 's3cret-key' };

function run(text: string, ...words: readonly string[]): Promise<Ended> {
  writeFileSync(join(folder, 'cloche.yaml'), text);
  return runCloche(words, { folder, env: { ...env, CLOCHE_TIMEOUT: '70' } });
}

const configuration = [
  'document: openapi.yaml',
  'url: http://127.0.0.1:8080',
  'token: ${API_TOKEN}',
  'headers: { X-Tenant: acme, X-Api-Key: "${KEY}" }',
  'test: { runs: 5 }',
].join('\n');

test('prints each option with its place, and masks secrets', async () => {
  const { code, stdout, stderr } = await run(configuration, 'config');
  expect([code, stderr]).toEqual([
    0,
    'The options that cloche.yaml and the environment set. All others have their defaults.\n',
  ]);
  expect(stdout).toContain('test:\n');
  expect(stdout).toContain('  url: http://127.0.0.1:8080  # cloche.yaml:2:1\n');
  expect(stdout).toContain('  timeout: 70  # $CLOCHE_TIMEOUT\n');
  expect(stdout).toContain('  token: "***"  # cloche.yaml:3:1\n');
  expect(stdout).toContain('  headers:  # cloche.yaml:4:1\n');
  expect(stdout).not.toContain('s3cret');
});

test('prints the arguments of no command, and the answers of a policy', async () => {
  const text = [
    'tokenCommand: ./token.sh --key ${KEY}',
    'credentials: { bearer: { command: "./login.sh ${API_TOKEN}" } }',
    'answers: { duplicate-key: conflict }',
  ];
  const { stdout } = await run(text.join('\n'), 'config');
  expect(stdout).toContain('  tokenCommand: ./token.sh ***  #');
  expect(stdout).toContain('      command: ./login.sh ***\n');
  expect(stdout).toContain('    - duplicate-key=conflict\n');
  expect(stdout).not.toContain('s3cret');
});

test('refuses misspelt members of credentials, and shows that the environment has a token', async () => {
  const wrong = 'test: { credentials: { a: { clientID: ci, clientSecret: x }, b: { comand: ./login.sh } } }';
  const { code, stderr } = await run(wrong, 'config');
  expect([code, stderr]).toEqual([2, expect.stringContaining('Perhaps "clientId" was meant.')]);
  expect(stderr).toContain(
    '1:62: test.credentials.b: is no credential, and does not say how to get one. Perhaps "command" was meant.',
  );
  writeFileSync(join(folder, 'cloche.yaml'), 'token: of-the-configuration');
  const { stdout } = await runCloche(['config'], { folder, env: { CLOCHE_TOKEN: 's3cret-token' } });
  expect(stdout).toContain('test:\n  token: "***"  # $CLOCHE_TOKEN\n');
  expect(stdout).not.toMatch(/s3cret|of-the-configuration/u);
});

test('refuses a service that the configuration does not have', async () => {
  const text = 'services: { orders: { url: http://a }, bills: {} }';
  for (const command of ['config', 'mock']) {
    const { code, stderr } = await run(text, command, '--service', 'order');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Perhaps orders was meant')]);
  }
  const { stdout } = await run(text, 'config', '--service', 'orders');
  expect(stdout).toMatch(/^# service orders\n(?![^]*# service)/u);
});

test('the help of a command lists no setting without a flag', async () => {
  const { stdout } = await run('', 'test', '--help-all');
  expect(stdout).toContain('  --credential ');
  expect(stdout).not.toMatch(/--(?:credentials|values)\b/u);
});

test('prints JSON', async () => {
  const { stdout } = await run(configuration, 'config', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    file: 'cloche.yaml',
    commands: { test: { runs: { value: 5, from: 'cloche.yaml:5:9' } }, learn: { token: { value: '***' } } },
  });
  expect(stdout).not.toContain('s3cret');
});

test('prints each service', async () => {
  const { stdout } = await run('timeout: 5\nservices: { orders: { url: http://a }, bills: {} }', 'config');
  expect(stdout).toMatch(/^# service orders\ntest:\n[^]*# service bills\n/u);
});

test('suggests cloche init if there is no configuration', async () => {
  const { code, stderr } = await run(configuration, 'config', '--no-config');
  expect([code, stderr]).toEqual([
    0,
    'There is no configuration here. Write one with cloche init openapi.yaml.\n',
  ]);
});

test('an error of a command names the file, the line and the column', async () => {
  const { code, stderr } = await run('mock:\n  prot: 4010\n', 'mock');
  expect([code, stderr]).toEqual([
    2,
    'Failed to read "cloche.yaml": cloche.yaml:2:3: mock.prot: is no setting of Cloche. Perhaps port was meant.\n',
  ]);
});

test('tests what the configuration names, in the folder of the configuration and below it', async () => {
  const { code, stdout } = await run('test: { runs: 1, suites: [valid-bodies], quiet: true }\n', 'test');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^PASS/u)]);
});
