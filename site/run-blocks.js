// Packs the checkout, installs it in an empty folder, and runs the marked blocks of all pages with it. Needs a build of dist/.
// The words after the name are parts of file names, to run some pages only: node run-blocks.js tutorials
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRunnable, runPage } from './blocks.js';
import { listFiles } from './pages.js';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Runs the pages whose file has one of the names in it. Prints failures, and returns the number of pages and of failures. */
export async function runAllBlocks(names = []) {
  const work = mkdtempSync(join(tmpdir(), 'cloche-pages-'));
  try {
    const modules = installPacked(work);
    const pages = [
      'README.md',
      ...listFiles()
        .filter((file) => !file.startsWith('api/'))
        .map((file) => `docs/${file}`),
    ]
      .filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
      .map((file) => ({ file, page: readFileSync(join(root, file), 'utf8') }))
      .filter(({ page }) => isRunnable(page));
    const queue = [...pages];
    let failed = 0;
    // Two cores: a page mostly waits for processes to start.
    await Promise.all(
      [1, 2].map(async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          const { file, page } = next;
          const folder = join(work, file.replaceAll(/[/.]/gu, '-'));
          const from = performance.now();
          const failures = await runPage({ page, folder, modules });
          failed += failures.length;
          const seconds = ((performance.now() - from) / 1_000).toFixed(1);
          if (failures.length === 0) console.log(`ran ${file} (${seconds} s)`);
          for (const { line, failure, expected, output } of failures) {
            console.error(
              `${file}:${line}: the ${failure}\n--- printed\n${output}\n--- expected\n${expected ?? ''}`,
            );
          }
        }
      }),
    );
    return { pages: pages.length, failed };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Installs the packed checkout, and returns the folder of its packages. */
function installPacked(work) {
  const run = (...words) =>
    execFileSync('npm', words, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const [{ filename }] = JSON.parse(run('pack', root, '--json', '--ignore-scripts', '--silent'));
  writeFileSync(join(work, 'package.json'), '{ "private": true }\n');
  run(
    'install',
    `./${filename}`,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--silent',
    '--prefer-offline',
  );
  return join(work, 'node_modules');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { pages, failed } = await runAllBlocks(process.argv.slice(2));
  console.log(`${pages} pages, ${failed} failed`);
  if (failed > 0 || pages === 0) process.exitCode = 1;
}
