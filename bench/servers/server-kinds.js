import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The arguments that start Prism, which only the whole benchmark needs. */
function prism(port) {
  const manifest = createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json');
  const document = join(repository, 'spec/plant-store.yaml');
  return [join(dirname(manifest), 'dist/index.js'), 'mock', document, '--port', String(port)];
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
  'bare proxy': (port, upstream) => [
    fileURLToPath(new URL('bare-proxy.js', import.meta.url)),
    '--port',
    String(port),
    '--upstream',
    String(upstream),
  ],
  'cloche proxy': (port, upstream) => [
    cloche,
    'proxy',
    `http://127.0.0.1:${upstream}`,
    '--port',
    String(port),
    '--token',
    't',
    '--quiet',
  ],
  prism: (port) => [...prism(port), '--verboseLevel', 'silent'],
  'prism, logging': prism,
  service: (port) => [join(repository, 'fixtures/services/start.js'), '--port', String(port), '--token', 't'],
};
