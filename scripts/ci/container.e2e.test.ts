import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { startMock } from '../../fixtures/start-mock.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The instructions of the Dockerfile, with the lines of each joined. */
const instructions = readFileSync(join(root, 'Dockerfile'), 'utf8')
  .replaceAll(/^\s*#.*\n/gmu, '')
  .replaceAll(/\\\n\s*/gu, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => ({ name: line.split(' ', 1)[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }));
const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));

function lastOf(name: string): string {
  return lastStage.findLast((instruction) => instruction.name === name)?.rest ?? '';
}

beforeAll(buildWhenStale);

test('builds on images of a fixed major version', () => {
  const images = instructions.filter(({ name }) => name === 'FROM').map(({ rest }) => rest.split(' ', 1)[0]);
  expect(images).toEqual(['node:22-bookworm-slim', 'node:22-bookworm-slim']);
});

test('runs as a user that is not root', () => {
  const [user = 0] = lastOf('USER').split(':').map(Number);
  expect(user).toBeGreaterThan(0);
});

test('copies only files that .dockerignore lets pass', () => {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  const passing = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(passing.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(ignored[0]).toBe('*');
  const copied = lastStage.flatMap(({ name, rest }) =>
    name === 'COPY' ? (rest.match(/\/build\/\S+/gu) ?? []) : [],
  );
  const made = ['/build/node_modules', '/build/dist'];
  expect(new Set(copied)).toEqual(new Set(['/build/package.json', '/build/LICENSE', '/build/spec', ...made]));
  expect(passing).toEqual(expect.arrayContaining(['package.json', 'LICENSE', 'spec']));
});

test('names the files of the package as package.json does', () => {
  // `as`: the manifest of the package.
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly bin: { readonly cloche: string };
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  expect(instructions.map(({ rest }) => rest).join('\n')).toContain(
    `ln -s /node_modules/cloche/${manifest.bin.cloche} /usr/local/bin/cloche`,
  );
  expect(manifest.devDependencies).toMatchObject({ ioredis: expect.any(String), libsql: expect.any(String) });
  expect(JSON.parse(lastOf('ENTRYPOINT'))).toEqual(['cloche']);
});

/** Runs the health check for a mock at a URL; resolves to its exit code. */
function checkHealth(url: string): Promise<number> {
  const check = lastOf('HEALTHCHECK');
  // `as`: the exec form of CMD is a JSON array of strings.
  const [command = '', ...words] = JSON.parse(check.slice(check.indexOf('['))) as string[];
  const env = { PATH: process.env['PATH'] ?? '', CLOCHE_MOCK: url };
  return new Promise((resolve) => {
    execFile(command, words, { env }, (error) => resolve(error === null ? 0 : Number(error.code)));
  });
}

test.each([
  ['a mock', []],
  ['a mock whose control interface is closed', ['--control-token', 'secret']],
  ['a mock without a control interface', ['--no-control']],
])('is healthy while %s runs, and unhealthy after its end', async (_, words) => {
  const mock = await startMock(root, words);
  await expect(checkHealth(mock.url)).resolves.toBe(0);
  await mock.stop();
  await expect(checkHealth(mock.url)).resolves.toBe(1);
});
