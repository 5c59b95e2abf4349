import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

test('names its tests in words that no terminal and no CI server obeys', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloche-vitest-'));
  const entry = JSON.stringify(fileURLToPath(new URL('vitest.ts', import.meta.url)));
  writeFileSync(
    join(folder, 'api.json'),
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'a', version: '1' },
      paths: {
        '/a': {
          get: {
            operationId: 'l\u001B[2J\n::error::owned ##[error]x',
            responses: { 200: { description: 'OK' } },
          },
        },
      },
    }),
  );
  writeFileSync(
    join(folder, 'conformance.test.ts'),
    `import { testConformance } from ${entry};
    await testConformance({ document: ${JSON.stringify(join(folder, 'api.json'))}, baseUrl: 'http://127.0.0.1:9', suites: ['samples'], runs: 1 });`,
  );
  const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
  const output = await new Promise<string>((resolve) => {
    const words = [vitest, 'run', '--root', folder, '--reporter', 'verbose', '--no-color'];
    const env = { PATH: process.env['PATH'], NO_COLOR: '1' };
    execFile(process.execPath, words, { env }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
  rmSync(folder, { recursive: true, force: true });
  expect(output).toContain('owned');
  expect(output.split('\n').filter((line) => /\p{Cc}\[2J|^\s*::|##\w*\[/u.test(line))).toEqual([]);
});
