// Conformance tests of an app of node:http that needs no port: Express, Fastify, Koa, Nest.
import { testService } from './conformance/conformance-tests.ts';
import type { ConformanceOptions } from './conformance/options.ts';
import type { RunResult } from './events/events.ts';
import type { NodeApp } from './http/memory-connection.ts';

export { ConformanceError } from './conformance/open-conformance.ts';
export type { ConformanceOptions } from './conformance/options.ts';
export type { NodeApp } from './http/memory-connection.ts';
export type { RunResult } from './events/events.ts';

/**
 * Runs all suites on an app without a port.
 *
 * @param app - a request listener such as an Express app, a server, or an app of Fastify
 * @returns the result of the run
 * @throws ConformanceError if it does not conform, with the findings in its message
 * @throws ClocheError if the document or an option cannot be used, or the app cannot be tested
 *
 * @example
 * await testApp(app, { document: 'orders.yaml', token: 'secret' });
 */
export function testApp(
  app: NodeApp,
  options: Omit<ConformanceOptions, 'app' | 'fetch'> = {},
): Promise<RunResult> {
  return testService({ ...options, app });
}
