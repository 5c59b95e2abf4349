import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../../fixtures/run-cloche.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-run-bundle-'));
const minute = 60_000;

beforeAll(async () => {
  await buildWhenStale();
  writeFileSync(
    join(folder, 'api.yaml'),
    [
      'openapi: 3.1.0',
      "info: { title: Orders, version: '1' }",
      'paths:',
      '  /orders:',
      "    get: { responses: { 200: { $ref: 'parts.yaml#/ok' } } }",
    ].join('\n'),
  );
  writeFileSync(join(folder, 'parts.yaml'), 'ok: { description: OK, x-most: 9007199254740993 }');
}, minute);
afterAll(() => rmSync(folder, { recursive: true }));

function bundle(...words: readonly string[]): Promise<Ended> {
  return runCloche(['bundle', ...words], { folder });
}

test('prints a document and what it refers to as one JSON text', async () => {
  const { code, stdout, stderr } = await bundle('api.yaml');
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    paths: { '/orders': { get: { responses: { 200: { description: 'OK' } } } } },
  });
  expect(stdout).toContain('"x-most": 9007199254740993\n');
});

test('writes it to a file, and the document that ships where none is named', async () => {
  const { code, stdout } = await bundle('-o', 'bundle.json');
  expect([code, stdout]).toEqual([0, '']);
  expect(readFileSync(join(folder, 'bundle.json'), 'utf8')).toMatch(/^\{\n {2}"openapi": "3\.1\.0",\n/u);
});

test('leaves a file as it is where the document cannot be used', async () => {
  writeFileSync(join(folder, 'kept.json'), 'kept');
  const { code, stderr } = await bundle('parts.yaml', '-o', 'kept.json');
  expect([code, stderr]).toEqual([2, expect.stringContaining('there is no "openapi" field')]);
  expect(readFileSync(join(folder, 'kept.json'), 'utf8')).toBe('kept');
});

test('says where it cannot write', async () => {
  const { code, stderr } = await bundle('api.yaml', '-o', 'no/such/folder.json');
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^Failed to write the bundle "no\/such\/folder\.json": /u),
  ]);
});
