import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { loadCatalogue } from '../fixtures/services/catalogue.js';
import { testConformance } from './vitest.ts';

const { conforming } = await loadCatalogue();
const service = conforming.find(({ id }) => id === 'slow');
if (service === undefined) throw new Error('there is no slow service');
const server = service.create({ token: 't' });
let underWay = 0;
let most = 0;
server.prependListener('request', (_request, response) => {
  underWay += 1;
  most = Math.max(most, underWay);
  response.once('close', () => {
    underWay -= 1;
  });
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
afterAll(() => {
  server.close();
});
// `as`: a server that listens on a port has such an address.
const { port } = server.address() as AddressInfo;

await testConformance({
  baseUrl: `http://127.0.0.1:${port}`,
  token: 't',
  suites: ['concurrency'],
  runs: 2,
});

test('sends requests side by side in the suite that is about them', () => {
  expect(most).toBeGreaterThan(1);
});

test('refuses a policy with an answer that there is not', async () => {
  // `as`: what a program without types may give.
  const policy = { 'duplicate-key': 'conflct' as 'conflict' };
  await expect(testConformance({ baseUrl: `http://127.0.0.1:${port}`, policy })).rejects.toThrow(
    'Perhaps "conflict" was meant.',
  );
});

/** What vitest prints of the suite samples on a service, by a document of one operation. */
async function printSamples(operationId: string, baseUrl: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cloche-vitest-'));
  const entry = JSON.stringify(fileURLToPath(new URL('vitest.ts', import.meta.url)));
  const paths = { '/a': { get: { operationId, responses: { 200: { description: 'OK' } } } } };
  const document = join(folder, 'api.json');
  writeFileSync(document, JSON.stringify({ openapi: '3.1.0', info: { title: 'a', version: '1' }, paths }));
  const options = JSON.stringify({ document, baseUrl, suites: ['samples'], runs: 1 });
  writeFileSync(
    join(folder, 'conformance.test.ts'),
    `import { testConformance } from ${entry};
    await testConformance(${options});`,
  );
  const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
  const output = await new Promise<string>((resolve) => {
    const words = [vitest, 'run', '--root', folder, '--reporter', 'verbose', '--no-color'];
    const env = { PATH: process.env['PATH'], NO_COLOR: '1' };
    execFile(process.execPath, words, { env }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
  rmSync(folder, { recursive: true, force: true });
  return output;
}

test('names its tests in words that no terminal and no CI server obeys', async () => {
  const output = await printSamples('l\u001B[2J\n::error::owned ##[error]x', 'http://127.0.0.1:9');
  expect(output).toContain('owned');
  expect(output.split('\n').filter((line) => /\p{Cc}\[2J|^\s*::|##\w*\[/u.test(line))).toEqual([]);
});

test('prints lines to paste in which a base URL is one word', async () => {
  const failing = createServer((_request, response) => void response.writeHead(500).end());
  await new Promise<void>((resolve) => {
    failing.listen(0, '127.0.0.1', resolve);
  });
  const address = failing.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/$(touch)`;
  const output = await printSamples('a', baseUrl);
  failing.close();
  expect(output).toContain(`npx cloche test '${baseUrl}' --document`);
});

test('judges a response by the document with toConform()', async () => {
  const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };
  const request = { url: '/plants', method: 'POST', headers, body: '{"id":1,"name":"Basil"}' };
  await expect(Response.json({ name: 'Basil' })).toConform({ request });
  await expect(Response.json({})).not.toConform({ request });
  const judged = expect(Response.json({})).toConform({ request });
  await expect(judged).rejects.toThrow('/name is required, but missing');
});
