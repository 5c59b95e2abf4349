import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { schemaPathFor } from './settings-file.ts';

/** Creates a project with Cloche, and a folder in it. */
function createProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloche-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules/cloche/spec'), { recursive: true });
  mkdirSync(join(folder, 'api/policies'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/cloche/spec/policy.schema.json'), '{}');
  return folder;
}

test.each([
  ['policy.json', './node_modules/cloche/spec/policy.schema.json'],
  ['api/policies/orders.json', '../../node_modules/cloche/spec/policy.schema.json'],
])('the file %s names the schema of the installed package by its relative path', (file, path) => {
  expect(schemaPathFor('policy', join(createProject(), file))).toBe(path);
});

test('a file outside a project with Cloche names the place of an installation beside it', () => {
  expect(schemaPathFor('data', join(createProject(), 'state.json'))).toBe(
    './node_modules/cloche/spec/data.schema.json',
  );
});
