// Builds dist/ from src/ and suites/: code in few files, which Node loads far sooner than one for each
// module, and the declarations of what the package exports. npm runs it after `npm ci` (dependencies) and
// before `npm pack` (prepack): with `prepare`, npm would print a warning when the tarball is installed.
// It checks no types: `npm run typecheck` does.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './build/bundle.js';
import { bundleBrowser } from './build/bundle-browser.js';
import { bundlePage } from './build/bundle-page.js';
import { copySchemas } from './build/copy-schemas.js';
import { declareTypes } from './build/declare-types.js';
import { quoteLicences } from './build/quote-licences.js';

const root = new URL('../', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const commands = Object.values(manifest.bin).map((path) => new URL(path, root));

process.exitCode = await build();

/** Returns the exit code. */
async function build() {
  const tools = await loadTools();
  if (tools === undefined) return keepEarlierBuild();

  const folder = fileURLToPath(root);
  const chunks = [
    ...(await bundle({ ...tools, manifest, folder })),
    ...(await bundleBrowser({ ...tools, folder })),
    ...(await bundlePage({ ...tools, folder })),
    ...copySchemas(),
  ];
  const declarations = declareTypes({ ...tools, manifest, folder });
  // Only now, so that dist/ is incomplete for a moment alone. What is left of an earlier build would be shipped.
  rmSync(new URL('dist/', root), { recursive: true, force: true });
  write([...declarations, ...chunks, { path: 'THIRD-PARTY-LICENSES.txt', text: quoteLicences(chunks) }]);
  // npx runs the command of a clone by its own file.
  for (const command of commands) chmodSync(command, 0o755);
  return 0;
}

function write(files) {
  for (const { path, text } of files) {
    const file = new URL(`dist/${path}`, root);
    mkdirSync(dirname(fileURLToPath(file)), { recursive: true });
    writeFileSync(file, text);
  }
}

async function loadTools() {
  try {
    const [{ rolldown }, { default: typescript }] = await Promise.all([
      import('rolldown'),
      import('typescript'),
    ]);
    return { rolldown, typescript };
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** `npm ci --omit=dev` has no bundler: right beside an earlier build, of no use without one. */
function keepEarlierBuild() {
  if (commands.every((file) => existsSync(file))) {
    process.stderr.write('The development packages are not installed: dist/ stays as it was built before.\n');
    return 0;
  }
  process.stderr.write(
    'Failed to build "dist": the bundler and the compiler are not installed, as the development packages were ' +
      'left out. Run "npm ci --include=dev", or unset NODE_ENV and npm\'s omit setting.\n',
  );
  return 1;
}
