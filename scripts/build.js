// Compiles src/ and suites/ into dist/. npm runs it after `npm ci` (prepare) and before `npm pack`.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const { bin } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const commands = Object.values(bin).map((path) => new URL(path, root));

process.exitCode = build();

/** Returns the exit code. */
function build() {
  const compiler = findCompiler();
  if (compiler === undefined) return keepEarlierBuild();

  // What is left of a deleted source file would be shipped.
  rmSync(new URL('dist/', root), { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: fileURLToPath(root),
    stdio: 'inherit',
  });
  // The compiler writes plain files, and npx runs the command of a clone by its own file.
  for (const command of commands.filter((file) => existsSync(file))) chmodSync(command, 0o755);
  return status ?? 1;
}

function findCompiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch {
    return undefined;
  }
}

/** `npm ci --omit=dev` has no compiler: right beside an earlier build, of no use without one. */
function keepEarlierBuild() {
  if (commands.every((file) => existsSync(file))) {
    process.stderr.write('The TypeScript compiler is not installed: dist/ stays as it was built before.\n');
    return 0;
  }
  process.stderr.write(
    'Failed to build "dist": the TypeScript compiler is not installed, as the development packages were left out. ' +
      'Run "npm ci --include=dev", or unset NODE_ENV and npm\'s omit setting.\n',
  );
  return 1;
}
