import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The arguments that start Prism, which only the whole benchmark needs. */
function prism(port) {
  const manifest = createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json');
  const document = join(repository, 'spec/plant-store.yaml');
  return [join(dirname(manifest), 'dist/index.js'), 'mock', document, '--port', String(port)];
}

/** The arguments that start json-server on an empty list in a file, as its users do. */
function jsonServer(port) {
  const manifest = createRequire(import.meta.url).resolve('json-server/package.json');
  const list = join(mkdtempSync(join(tmpdir(), 'cloche-bench-')), 'list.json');
  writeFileSync(list, '{"plants":[]}');
  return [join(dirname(manifest), 'lib/cli/bin.js'), list, '--port', String(port), '--quiet'];
}

/** The command of Cloche, as `npm run build` leaves it. */
export const cloche = join(repository, 'dist/src/cli/main.js');

/**
 * What can be measured, by name: the arguments that node takes to serve on a port; a proxy forwards to another.
 * @type {Readonly<Record<string, (port: number, upstream?: number) => string[]>>}
 */
export const serverKinds = {
  bare: (port) => [fileURLToPath(new URL('bare.js', import.meta.url)), '--port', String(port)],
  cloche: (port) => [cloche, 'mock', '--port', String(port), '--token', 't', '--quiet'],
  'bare, items': (port) => [fileURLToPath(new URL('bare-items.js', import.meta.url)), '--port', String(port)],
  'cloche, items': (port) => [
    cloche,
    'mock',
    fileURLToPath(new URL('items.yaml', import.meta.url)),
    '--port',
    String(port),
    '--quiet',
  ],
  'cloche, logging': (port) => [cloche, 'mock', '--port', String(port), '--token', 't'],
  'openapi-backend': (port) => [
    fileURLToPath(new URL('openapi-backend.js', import.meta.url)),
    '--port',
    String(port),
  ],
  'json-server': jsonServer,
  prism: (port) => [...prism(port), '--verboseLevel', 'silent'],
  service: (port) => [join(repository, 'fixtures/services/start.js'), '--port', String(port), '--token', 't'],
};
