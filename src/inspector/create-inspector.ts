import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ServePage } from '../mock/control/operation.ts';
import { createMock } from '../mock/create-mock.ts';
import type { MockResponse } from '../mock/message.ts';
import type { Mock, MockOptions } from '../mock/mock.ts';

/**
 * What the page may do (CSP Level 3): run its own script and style, and talk to where it came from. Nothing else
 * loads, nobody frames it, and what a resource holds can become neither script nor form.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const guards = [
  ['content-security-policy', contentSecurityPolicy],
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
].flat();

/** The files as the build writes them, and the paths below the prefix of the control interface. */
const files = [
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/inspector/page.js', 'page.js', 'text/javascript; charset=utf-8'],
  ['/inspector/page.css', 'page.css', 'text/css; charset=utf-8'],
  ['/inspector/icon.svg', 'icon.svg', 'image/svg+xml'],
] as const;

/**
 * Reads the mock's web page, which shows and changes what the mock holds.
 *
 * @throws Error where the package was not built
 *
 * @example
 * const mock = await createMock('orders.yaml', { inspector: async () => createInspector() });
 */
export function createInspector(): ServePage {
  // The package's own name leads to its folder, from the source as from what is built of it.
  const manifest = createRequire(import.meta.url).resolve('cloche/package.json');
  const answers = new Map<string, MockResponse>(
    files.map(([path, name, mediaType]) => [
      path,
      {
        status: 200,
        headers: ['content-type', mediaType, ...guards],
        body: readFileSync(join(dirname(manifest), 'dist', 'inspector', name)),
        note: {},
      },
    ]),
  );
  return (path) => answers.get(path);
}

/**
 * Makes a mock of a contract: it answers what the document declares, as the policy says where the document
 * is silent, and remembers what was created. A browser that opens `/__cloche/` where it listens shows what it holds.
 *
 * @param document - the path or URL of a document, one that is there as an object, or one that was read; without it,
 * the one that ships with the package
 * @throws ClocheError where the document, an option, the policy or a token cannot be used
 *
 * @example
 * const mock = await createMock('orders.yaml', { tokens: ['secret'] });
 * const response = await mock.fetch('/orders', {
 *   method: 'POST',
 *   headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
 *   body: JSON.stringify({ id: 1 }),
 * });
 */
export function createInspectedMock(
  document?: Parameters<typeof createMock>[0],
  options: MockOptions = {},
): Promise<Mock> {
  const isUsable = typeof options === 'object' && options !== null && !Array.isArray(options);
  // The page is read when somebody looks at it.
  const { inspector = () => Promise.resolve(createInspector()) } = isUsable ? options : {};
  // What is none is refused where the options are looked at.
  return createMock(document, isUsable ? { ...options, inspector } : options);
}
