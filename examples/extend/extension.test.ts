import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createMock, runSuites } from 'cloche';
import { judgeExchange } from 'cloche/extend';
import { allSuites } from 'cloche/suites';
import { afterAll, expect, test } from 'vitest';
import { extension } from './extension.ts';

const mock = await createMock(undefined, { tokens: ['secret'] });
const signatures: (string | undefined)[] = [];

afterAll(() => mock.close());

test('a run reports what the checks and the suite of the extension find', async () => {
  const noted = {
    hooks: {
      afterResponse({ request }: { readonly request: { readonly headers: readonly (readonly string[])[] } }) {
        signatures.push(request.headers.find(([name]) => name === 'X-Signature')?.[1]);
      },
    },
  };
  const target = { contract: mock.contract, send: mock.send, policy: mock.policy, token: 'secret' };
  const { findings } = await runSuites(allSuites.slice(0, 1), target, {
    seed: 1,
    runs: 5,
    extensions: [extension, noted],
  });
  expect(findings.map(({ finding }) => [finding.check, finding.level])).toEqual([
    ['x-request-id', 'violation'],
    ['x-rate-limit', 'warning'],
  ]);
  expect(signatures.length).toBeGreaterThan(20);
  expect(signatures.every((signature) => signature?.length === 64)).toBe(true);
});

test('an exchange that was recorded elsewhere is judged by the same checks', () => {
  const request = { method: 'POST', target: '/plants', headers: [], body: undefined };
  const response = { status: 418, headers: [], body: new Uint8Array() };
  const judged = judgeExchange(
    { request, answer: { kind: 'response', response } },
    { contract: mock.contract, extensions: [extension] },
  );
  expect(judged?.findings.map(({ check }) => check)).toContain('x-request-id');
});

test('the command uses the extension from a file', async () => {
  // In a project of its own: npx cloche test --extension cloche.extension.ts …
  const cloche = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
  const options = ['--extension', 'cloche.extension.ts', '--suite', 'bursts'];
  const output = await new Promise<string>((resolve) => {
    const cwd = fileURLToPath(new URL('.', import.meta.url));
    execFile(process.execPath, [cloche, 'test', ...options], { cwd }, (_, stdout) => resolve(stdout));
  });
  expect(output).toContain('VIOLATION A response has no X-Request-Id');
  expect(output).toContain('WARNING A burst of requests met no rate limit');
});
