import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../fixtures/build-when-stale.ts';
import { startCommand } from '../fixtures/proxy/start-command.ts';
import {
  both,
  order,
  runWithMemory,
  schemaRef,
  expectToServe,
  writeDocument,
} from '../fixtures/written-document.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-large-documents-'));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = { type: 'string' };
test('explains, mocks and tries 10,000 operations in 2,048 MB', { timeout: 5 * minute }, () =>
  expectToServe(folder, 10_000, 2_048),
);

test('explains, mocks and tries a document of 50 MB', { timeout: 5 * minute }, async () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `S${index}`);
  const schemas = names.map((name, index) => [
    name,
    {
      type: 'object',
      description: 'x'.repeat(400),
      properties: { a: text, b: schemaRef(names[index + 1] ?? 'S0') },
    },
  ]);
  writeDocument(folder, { '/things': both(order) }, Object.fromEntries(schemas));
  expect(await runWithMemory(folder, ['explain', 'api.json'], 1_024)).toMatchObject({ code: 0 });
  const tried = await runWithMemory(
    folder,
    ['test', '-d', 'api.json', '--seed', '7', '--max-time', '10'],
    1_024,
  );
  expect([tried.code, tried.text]).toEqual([0, expect.stringMatching(/^PASS/mu)]);
  const mock = await startCommand(['mock', 'api.json', '--port', '0'], {
    folder,
    ready: /mocked on (\S+)\n/u,
    env: { NODE_OPTIONS: '--max-old-space-size=1024' },
  });
  expect(await (await fetch(`${mock.url}/plain`)).json()).toBe('here');
  expect((await mock.stop()).code).toBe(0);
});
