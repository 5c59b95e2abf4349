// Runs express.test.js with Jest, if it is installed here or in fixtures/interop. A project of its own has this in
// package.json: "scripts": { "test": "node --experimental-vm-modules node_modules/jest/bin/jest.js" }
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const interop = new URL('../../../fixtures/interop/package.json', import.meta.url);
const jest = [import.meta.url, interop].map(findJest).find((file) => file !== undefined);

function findJest(from) {
  try {
    return createRequire(from).resolve('jest/bin/jest');
  } catch {
    return undefined;
  }
}

if (jest === undefined) {
  process.stdout.write('Left out: the example for Jest, because Jest is not installed.\n');
} else {
  const config = JSON.stringify({ rootDir: fileURLToPath(new URL('.', import.meta.url)), transform: {} });
  const words = ['--experimental-vm-modules', '--no-warnings', jest, '--config', config];
  process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
}
