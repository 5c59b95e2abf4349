import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isRunnable, runPage } from '../../site/blocks.js';

const work = mkdtempSync(join(tmpdir(), 'cloche-blocks-'));
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

let pages = 0;
async function run(...blocks: readonly string[]): Promise<readonly string[]> {
  pages += 1;
  const page = blocks.map((block) => `\`\`\`${block}\n\`\`\``).join('\n\ntext\n\n');
  const failures = await runPage({ page, folder: join(work, String(pages)), modules: work });
  return failures.map(({ line, failure }) => `${line}: ${failure}`);
}

const server = `js file=server.cjs
require('node:http').createServer((_, response) => response.end('ready')).listen(8080, () => console.log('listening on 8080'));`;
const readServer = `sh run
node -e "fetch('http://127.0.0.1:8080').then((response) => response.text()).then(console.log)"`;

test.each<[string, readonly string[], readonly string[]]>([
  ['output that is as shown', ['sh run\necho a; echo b', 'text output\na\nb'], []],
  ['a line for any text', ['sh run\necho 1 of 2', 'text output\n… of 2'], []],
  ['a line for any lines', ['sh run\nseq 9', 'text output\n1\n…\n9'], []],
  ['other output', ['sh run\necho a', 'text output\nb'], ['1: command printed something else']],
  ['output that goes on', ['sh run\nseq 9', 'text output\n1\n2'], ['1: command printed something else']],
  ['a failure in the middle', ['sh run\nfalse\necho a'], ['1: command ended with exit code 1 instead of 0']],
  ['an expected failure', ['sh run exit=3\nexit 3'], []],
  ['a missing failure', ['sh run exit=1\ntrue'], ['1: command ended with exit code 0 instead of 1']],
  [
    'a file that is written',
    ['txt file=sub/a.txt\nhello', 'sh run\ncat sub/a.txt', 'text output\nhello'],
    [],
  ],
  ['a command that ends too early', ['sh background\nexit 4'], ['1: command ended with exit code 4']],
  [
    'a workflow whose files are written',
    ['yaml file=ci.yml workflow\n- run: npm ci\n- run: npx --version > a.xml\n- with: { path: a.xml }'],
    [],
  ],
  [
    'a workflow that does not write its file',
    ['txt file=a.xml\nold', 'yaml workflow\n- run: npx --version\n- with: { path: a.xml }'],
    ['7: command ended with exit code 2 instead of 0'],
  ],
  ['blocks without a mark', ['sh\nexit 1', 'sh run\ntrue'], []],
])('judges %s', async (_name, blocks, failures) => {
  await expect(run(...blocks)).resolves.toEqual(failures);
});

test('starts a server on a free port, and again in place of the earlier one', async () => {
  const start = 'sh background\nnode server.cjs';
  const shown = 'text output\nlistening on 8080';
  await expect(
    run(
      server,
      start,
      shown,
      readServer,
      'text output\nready',
      start,
      shown,
      readServer,
      'text output\nready',
    ),
  ).resolves.toEqual([]);
});

test('finds pages with blocks to run', () => {
  expect(isRunnable('```sh run\ntrue\n```')).toBe(true);
  expect(isRunnable('```sh\nrun\n```')).toBe(false);
});
