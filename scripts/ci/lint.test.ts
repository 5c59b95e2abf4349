import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validate as validateGithub } from '@actions/languageservice';
import { validate as validateDockerfile } from 'dockerfile-utils';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/**
 * Returns the problems of an action or a workflow, as the language service of GitHub finds them. It caches texts by
 * their names, so a changed text needs a name of its own.
 */
async function lintGithub(name: string, text: string): Promise<readonly string[]> {
  const problems = await validateGithub(TextDocument.create(`file:///${name}`, 'yaml', 1, text));
  return problems.map(({ message }) => (typeof message === 'string' ? message : message.value));
}

test.each(['action.yml', '.github/workflows/ci.yml', '.github/workflows/release.yml'])(
  '%s is valid',
  async (file) => {
    await expect(lintGithub(file, read(file))).resolves.toEqual([]);
  },
);

test('a step of the action without a shell is found', async () => {
  const text = read('action.yml').replace('shell: bash', 'shel: bash');
  await expect(lintGithub('changed/action.yml', text)).resolves.toContain(
    'Required property is missing: shell',
  );
});

test('an unknown context in the workflow is found', async () => {
  const text = read('.github/workflows/ci.yml').replace('matrix.node', 'matrix.nod');
  await expect(lintGithub('changed/.github/workflows/ci.yml', text)).resolves.toEqual([
    'Context access might be invalid: nod',
  ]);
});

test('the Dockerfile is valid', () => {
  expect(validateDockerfile(read('Dockerfile'))).toEqual([]);
});

test('an unknown instruction in the Dockerfile is found', () => {
  const text = read('Dockerfile').replace('USER ', 'USR ');
  expect(validateDockerfile(text).map(({ message }) => message)).toEqual(['Unknown instruction: USR']);
});
