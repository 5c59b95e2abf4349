import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ServePage } from '../mock/control/operation.ts';
import { createMock } from '../mock/create-mock.ts';
import type { MockResponse } from '../mock/message.ts';
import type { MockOptions } from '../mock/mock.ts';
import type { MockFor, OptionsFor } from '../mock/typed.ts';

/**
 * The permissions of the page (CSP Level 3): it runs scripts and styles of its origin, and connects only to its origin.
 * Nothing else loads, no page can frame it, and the content of a resource can become neither script nor form.
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

const toGuards = (policy: string): readonly string[] =>
  [
    ['content-security-policy', policy],
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
  ].flat();

const guards = toGuards(contentSecurityPolicy);
/** The reference sets styles of its elements. */
const referenceGuards = toGuards(
  contentSecurityPolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
);

/** The built files, and their paths below the prefix of the control interface. */
const files = [
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/inspector/page.js', 'page.js', 'text/javascript; charset=utf-8'],
  ['/inspector/page.css', 'page.css', 'text/css; charset=utf-8'],
  ['/inspector/icon.svg', 'icon.svg', 'image/svg+xml'],
  ['/docs', 'docs.html', 'text/html; charset=utf-8'],
  ['/inspector/docs.js', 'docs.js', 'text/javascript; charset=utf-8'],
] as const;

/**
 * Reads the mock's web page, which shows and changes the state of the mock.
 *
 * @throws Error if the package was not built
 *
 * @example
 * const mock = await createMock('orders.yaml', { inspector: async () => createInspector() });
 */
export function createInspector(): ServePage {
  // The name of the package resolves to its folder, both from the source and from the build.
  const manifest = createRequire(import.meta.url).resolve('cloche/package.json');
  const answers = new Map<string, MockResponse>(
    files.map(([path, name, mediaType]) => [
      path,
      {
        status: 200,
        headers: ['content-type', mediaType, ...(path === '/docs' ? referenceGuards : guards)],
        body: readFileSync(join(dirname(manifest), 'dist', 'inspector', name)),
        note: {},
      },
    ]),
  );
  return (path) => answers.get(path);
}

/**
 * Creates a mock of a contract. It responds as the document declares, uses the policy for unspecified behaviour, and
 * remembers created resources. A browser that opens `/__cloche/` at its address shows its state.
 *
 * @param document - the path or URL of a document, a document as an object, or a document that was read; without it,
 * the one that ships with the package
 * @typeParam Paths - `paths` of openapi-typescript, to check the names and values in `handlers`, `data` and `faults`
 * @typeParam Operations - `operations` of openapi-typescript, for the ids of operations
 * @throws ClocheError if the document, an option, the policy or a token cannot be used
 *
 * @example
 * const mock = await createMock('orders.yaml', { tokens: ['secret'] });
 * const response = await mock.fetch('/orders', {
 *   method: 'POST',
 *   headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
 *   body: JSON.stringify({ id: 1 }),
 * });
 */
export function createInspectedMock<Paths extends object = never, Operations extends object = {}>(
  document?: Parameters<typeof createMock>[0],
  given?: OptionsFor<Paths, Operations>,
): Promise<MockFor<Paths, Operations>> {
  // `as`: options and mocks with types are plain ones that accept less.
  const options = (given === undefined ? {} : given) as MockOptions;
  const isUsable = typeof options === 'object' && options !== null && !Array.isArray(options);
  // The page is read when a browser opens it.
  const { inspector = () => Promise.resolve(createInspector()) } = isUsable ? options : {};
  // `createMock` rejects options that are not an object.
  const mock: Promise<unknown> = createMock(document, isUsable ? { ...options, inspector } : options);
  return mock as Promise<MockFor<Paths, Operations>>;
}
