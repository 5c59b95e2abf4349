import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';
import { readPowershell, runWindowsLine } from '../../fixtures/windows-command.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-shell-'));
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(500).end());
});
let url = '';

beforeAll(async () => {
  await buildWhenStale();
  const responses = { 200: { description: 'OK' } };
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  const requestBody = { content: { 'application/json': { schema } } };
  const security = [{ bearer: [] }];
  const document = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths: { '/pets': { post: { operationId: "create'pet", security, requestBody, responses } } },
  };
  writeFileSync(join(folder, 'pets.json'), JSON.stringify(document));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // `as`: the server listens on a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, 2 * minute);

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function runTest(words: readonly string[]) {
  return runCloche(['test', url, '-d', 'pets.json', '--token', 'secret-token', '--seed', '3', ...words], {
    folder,
  });
}

test(
  'prints the lines of a finding for PowerShell, and each shows the fault',
  { timeout: minute },
  async () => {
    const { code, stdout } = await runTest(['--suite', 'valid-bodies', '--shell', 'powershell']);
    expect(code).toBe(1);
    const [, curl = ''] = /^ {2}request +(.*)$/mu.exec(stdout) ?? [];
    expect(curl).toContain('-H "Authorization: Bearer %CLOCHE_TOKEN%" -H "Content-Type: application/json"');
    const variables = { CLOCHE_TOKEN: 'secret-token' };
    expect(await runWindowsLine(readPowershell(curl), { folder, variables })).toMatch(/^HTTP\/1\.1 500 /u);
    const [, replay = ''] = /^ {2}replay +(.*)$/mu.exec(stdout) ?? [];
    expect(readPowershell(replay)).toMatch(
      /^npx cloche test http:\S+ --document pets\.json --shell powershell --seed 3 --path "valid-bodies\/create'pet\./u,
    );
    expect(stdout).toContain("To paste a request, set this first:\n  $env:CLOCHE_TOKEN = 'the token'\n");
  },
);

test('takes the shell from a configuration', { timeout: minute }, async () => {
  writeFileSync(join(folder, 'windows.yaml'), 'shell: cmd\n');
  const { stdout } = await runTest(['--suite', 'valid-bodies', '--config', 'windows.yaml']);
  expect(stdout).toMatch(/^ {2}request +curl -sSi "http:/mu);
  expect(stdout).toContain('To paste a request, set this first:\n  set "CLOCHE_TOKEN=the token"\n');
});

test('another shell ends with 2', { timeout: minute }, async () => {
  const { code, stderr } = await runTest(['--shell', 'fish']);
  expect(code).toBe(2);
  expect(stderr).toContain('Choices: "bash", "powershell", "cmd"');
});
