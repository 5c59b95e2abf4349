import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-overlay-in-'));
beforeAll(() => buildWhenStale());
afterAll(() => rmSync(folder, { recursive: true }));

const document = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));

test('reads the overlay that explain writes', async () => {
  const words = ['explain', document, '--answer', 'duplicate-key=conflict'];
  const written = await runCloche([...words, '--overlay'], { folder });
  expect(written.code).toBe(0);
  writeFileSync(join(folder, 'written.yaml'), written.stdout);
  const countOf = (text: string): number => Number(/^(\d+) of \d+ behaviours/mu.exec(text)?.[1]);
  const plain = await runCloche(['explain', document], { folder });
  const declared = await runCloche(['explain', document, '--overlay-in', 'written.yaml'], { folder });
  expect([declared.code, declared.stderr]).toEqual([0, '']);
  expect(countOf(declared.stdout)).toBeLessThan(countOf(plain.stdout));
});

test('applies the overlays of the configuration in order, and names the line of an error', async () => {
  const write = (name: string, actions: string): void =>
    writeFileSync(
      join(folder, name),
      `overlay: 1.1.0\ninfo: { title: O, version: '1' }\nactions:\n${actions}\n`,
    );
  write('one.yaml', '  - { target: $.info, update: { title: One, x-one: true } }');
  write('two.yaml', '  - { target: $.info.title, update: Two }');
  writeFileSync(join(folder, 'cloche.yaml'), 'overlaysIn: [one.yaml, two.yaml]\n');
  const { code, stdout } = await runCloche(['bundle', document], { folder });
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ info: expect.objectContaining({ title: 'Two', 'x-one': true }) }),
  ]);
  write('two.yaml', '  - { target: $.info, update: Two }');
  const failed = await runCloche(['bundle', document], { folder });
  expect([failed.code, failed.stderr]).toEqual([
    2,
    expect.stringMatching(/two\.yaml:4:\d+: actions\[0\]\.update: is "Two", but the document has an object/u),
  ]);
});
