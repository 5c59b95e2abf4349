import { createMock } from '../mock/create-mock.ts';
import type { Mock } from '../mock/mock.ts';
import type { MockOptions } from '../mock/mock-options.ts';
import type { ServePage } from '../mock/control/serve-page.ts';

/** The page is read when somebody looks at it. */
async function loadInspector(): Promise<ServePage> {
  const { createInspector } = await import('./create-inspector.ts');
  return createInspector();
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
  // What is none is refused where the options are looked at.
  return createMock(
    document,
    isUsable ? { ...options, inspector: options.inspector ?? loadInspector } : options,
  );
}
