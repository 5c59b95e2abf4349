import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { clocheMain, runCloche } from '../../../fixtures/run-cloche.ts';
import { startMock } from '../../../fixtures/start-mock.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-watch-runs-'));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Replaces a file as editors do. */
function write(name: string, text: string): void {
  writeFileSync(join(folder, `${name}~`), text);
  renameSync(join(folder, `${name}~`), join(folder, name));
}

function documentOf(paths: object): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Orders', version: '1' }, paths });
}

const responses = { 200: { description: 'Found', content: { 'application/json': { schema: {} } } } };
const read = { operationId: 'readOrders', responses };

interface Watching {
  /** Waits until it prints a text after those that were awaited before, and waits for changes; returns what it printed. */
  readonly untilPrinted: (text: string) => Promise<string>;
  /** Returns what it printed so far. */
  readonly output: () => string;
  /** Interrupts it, and returns its exit code. */
  readonly interrupt: () => Promise<unknown>;
}

function watch(runs: string, ...words: readonly string[]): Watching {
  const command = [clocheMain, 'test', '--watch', '--runs', runs, ...words];
  const child = spawn(process.execPath, command, { cwd: folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += String(bytes)));
  let seen = 0;
  return {
    async untilPrinted(text) {
      const waits = 'Ctrl+C ends.\n';
      const at = await vi.waitUntil(
        () => {
          const found = output.indexOf(text, seen);
          const end = found === -1 ? -1 : output.indexOf(waits, found);
          return end === -1 ? undefined : end + waits.length;
        },
        { timeout: minute / 2, interval: 20 },
      );
      const printed = output.slice(seen, at);
      seen = at;
      return printed;
    },
    output: () => output,
    async interrupt() {
      child.kill('SIGINT');
      const [code] = await once(child, 'close');
      return code;
    },
  };
}

test(
  'runs again after a change of the document, a reference, the policy, an extension and its import',
  { timeout: 2 * minute },
  async () => {
    write('orders.json', JSON.stringify({ get: read }));
    write('document.json', documentOf({ '/orders': { $ref: 'orders.json' } }));
    write('policy.json', '{"answers":{}}');
    write('limit.ts', 'export const limit: number = 600;');
    write(
      'extension.ts',
      `import { limit } from './limit.ts';
       const docs = { title: 'A status past the limit', place: '', finds: '', example: { request: '', answer: '' } };
       export default { checks: [{ id: 'x-limit', levels: ['violation'], docs, judge: ({ answer, operation }) =>
         answer.kind === 'none' || answer.response.status < limit ? undefined
           : { check: 'x-limit', level: 'violation', docs, cause: '', operation: operation.id,
               clause: { kind: 'rule', name: 'limit', quote: 'limit' }, expected: 'less', received: 'more' } }] };`,
    );
    const { untilPrinted, interrupt } = watch(
      '1',
      '-d',
      'document.json',
      '--policy',
      'policy.json',
      '--extension',
      'extension.ts',
    );
    expect(await untilPrinted('PASS ')).toContain('Waiting for a change of 5 files.');
    write('limit.ts', 'export const limit: number = 100;');
    expect(await untilPrinted('FAIL ')).toContain('VIOLATION A status past the limit');
    write('limit.ts', 'export const limit: number = 600;');
    await untilPrinted('PASS ');
    write('orders.json', JSON.stringify({ get: { ...read, operationId: 'list' } }));
    await untilPrinted('orders.json changed.\n\nOrders 1 ');
    write('document.json', '{');
    expect(await untilPrinted('Failed to read')).toContain('document.json:1:');
    write('document.json', documentOf({ '/orders': { $ref: 'orders.json' } }));
    await untilPrinted('PASS ');
    write('policy.json', '{"answers":{"echo":7}}');
    expect(await untilPrinted('policy.json:1:')).not.toContain('PASS');
    expect(await interrupt()).toBe(2);
  },
);

test('an interrupt ends the watching with the exit code of the last run', { timeout: minute }, async () => {
  write('other.json', documentOf({ '/orders': { get: read } }));
  const { untilPrinted, interrupt } = watch('1', '-d', 'other.json');
  await untilPrinted('PASS ');
  expect(await interrupt()).toBe(0);
});

test('an interrupt ends a run, which prints what it found', { timeout: minute }, async () => {
  const parameters = [{ name: 'limit', in: 'query', schema: { type: 'integer' } }];
  write('long.json', documentOf({ '/orders': { get: { ...read, parameters } } }));
  const { url } = await startMock(folder, ['long.json']);
  const { output, interrupt } = watch('100000', '-d', 'long.json', url);
  await vi.waitUntil(() => output().includes('Testing '), { timeout: minute / 2 });
  expect(await interrupt()).toBe(130);
  expect(output()).toMatch(/FAIL .*: interrupted, nothing found so far/u);
});

test('watching needs a file that can change', { timeout: minute }, async () => {
  const { code, stderr } = await runCloche(['test', '--watch'], { folder });
  expect(stderr).toContain(
    'Failed to read the option "--watch": the run reads no local file that could change.',
  );
  expect(code).toBe(2);
});
