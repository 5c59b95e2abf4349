// Conformance tests of a handler of fetch: Hono, Bun, Deno, route handlers of Next.
import { testService } from './conformance/conformance-tests.ts';
import type { ConformanceOptions } from './conformance/options.ts';
import type { RunResult } from './events/events.ts';
import type { FetchHandler } from './http/fetch-send.ts';

export { ConformanceError } from './conformance/open-conformance.ts';
export type { ConformanceOptions } from './conformance/options.ts';
export { createRouteHandler } from './conformance/route-handler.ts';
export type { FetchHandler } from './http/fetch-send.ts';
export type { RunResult } from './events/events.ts';

/**
 * Runs all suites on a handler of fetch without a port. A handler has no connection, so nothing about the framing of
 * messages is tested.
 *
 * @param handler - a function that answers a `Request` with a `Response`
 * @returns the result of the run
 * @throws ConformanceError if it does not conform, with the findings in its message
 * @throws ClocheError if the document or an option cannot be used, or the handler cannot be tested
 *
 * @example
 * await testFetch(app.fetch, { document: 'orders.yaml', token: 'secret' });
 */
export function testFetch(
  handler: FetchHandler,
  options: Omit<ConformanceOptions, 'app' | 'fetch'> = {},
): Promise<RunResult> {
  return testService({ ...options, fetch: handler });
}
