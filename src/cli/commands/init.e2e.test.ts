import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../../fixtures/run-cloche.ts';
import { createMock } from '../../mock/create-mock.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-init-'));
const minute = 60_000;

const document = (origin: string): string =>
  [
    'openapi: 3.1.0',
    "info: { title: Orders, version: '1' }",
    'servers: [{ url: /v1 }]',
    'security: [{ oauth: [] }]',
    'paths:',
    '  /tenants/{tenantId}/orders:',
    '    parameters:',
    '      - { name: tenantId, in: path, required: true, schema: { type: string } }',
    '      - { name: X-Csrf, in: header, required: true, schema: { type: string } }',
    '    get: { operationId: listOrders, responses: { 200: { description: OK } } }',
    '  /purge: { post: { operationId: purge, deprecated: true, security: [{ key: [] }], responses: { 204: { description: Gone } } } }',
    '  /health: { get: { operationId: health, security: [], responses: { 200: { description: OK } } } }',
    'components:',
    '  securitySchemes:',
    '    key: { type: apiKey, in: header, name: X-Key }',
    `    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: '${origin}/token', scopes: { orders: x } } } }`,
  ].join('\n');

beforeAll(() => buildWhenStale(), 2 * minute);
beforeEach(() => writeFileSync(join(folder, 'api.yaml'), document('https://login.example.com')));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (words: readonly string[], env = {}): Promise<Ended> => runCloche(words, { folder, env });
const written = (): string => readFileSync(join(folder, 'cloche.yaml'), 'utf8');

test('writes a configuration that the commands accept, with what it cannot know as comments', async () => {
  const { code, stdout } = await run(['init', 'api.yaml', '--force']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Written to cloche\.yaml\.\nNext:\n/u)]);
  const text = written();
  expect(text).toMatch(
    /^# yaml-language-server: \$schema=\S+config\.schema\.json\n# Cloche for Orders 1, 3 operations\.\n/u,
  );
  expect(text).toContain('\ndocument: api.yaml\n');
  expect(text).toContain('\n# url: http://127.0.0.1:8080\n');
  expect(text).toContain('\n#   operations: [purge]\n#   deprecated: true\n');
  expect(text).toContain('\n#   tenantId: [1]\n');
  expect(text).toContain('\n# credentials:\n');
  const config = await run(['config']);
  expect([config.code, config.stdout]).toEqual([
    0,
    expect.stringContaining('  document: api.yaml  # cloche.yaml:5:1\n'),
  ]);
  expect((await run(['test', '--runs', '1', '-q'])).code).toBe(0);
});

test('finds the path prefix and the need of credentials on the service, and names the variables', async () => {
  const mock = await createMock(join(folder, 'api.yaml'), { tokens: ['t'] });
  const listener = await mock.listen({ port: 0 });
  try {
    const { stdout } = await run(['init', 'api.yaml', '--force', '--url', listener.url]);
    expect(stdout).toContain('The service answers: GET /health got 200.\n');
    expect(stdout).toContain('Set OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, KEY_KEY in the environment.\n');
    const text = written();
    expect(text).toContain(`\nurl: ${listener.url}\n`);
    expect(text).toContain('\n    clientSecret: ${OAUTH_CLIENT_SECRET}\n    scopes: [orders]\n');
    expect(text).toContain('    # tokenUrl: https://login.example.com/token');
    expect(text).toContain('\n  key: ${KEY_KEY}\n');
    const ended = await run(['test']);
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringContaining('needs the environment variable OAUTH_CLIENT_ID, which is not set'),
    ]);
  } finally {
    await listener.close();
    await mock.close();
  }
});

test('names the variable of the only credential as the option does', async () => {
  const one = document('https://login.example.com')
    .replace(/\n {4}oauth: .*/u, '')
    .replaceAll(/oauth: \[[^\]]*\]/gu, 'key: []');
  writeFileSync(join(folder, 'api.yaml'), one);
  await run(['init', 'api.yaml', '--force']);
  expect(written()).toContain('\n#   key: ${CLOCHE_TOKEN}\n');
});

test('writes for a service that does not answer yet', async () => {
  const mock = await createMock(join(folder, 'api.yaml'));
  const listener = await mock.listen({ port: 0 });
  const closed = listener.url;
  await listener.close();
  await mock.close();
  const { code, stdout } = await run(['init', 'api.yaml', '--force', '--url', closed]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('The service does not answer yet: nothing listens on 127.0.0.1:'),
  ]);
});

test.each([
  [
    ['init', 'api.yaml'],
    'Failed to write the configuration "cloche.yaml": the file exists already. Give --force',
  ],
  [['init', 'api.yaml', '-o', 'cloche.toml'], 'its ending is not that of YAML. End it with .yaml'],
  [['init', 'nothing.yaml', '--force'], 'there is no such file'],
  [['init'], '<document> is missing'],
])('%j ends with 2', async (words, sentence) => {
  writeFileSync(join(folder, 'cloche.yaml'), 'document: api.yaml\n');
  const { code, stderr } = await run(words);
  expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  expect(written()).toBe('document: api.yaml\n');
});
