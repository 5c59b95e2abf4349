import { describe, expect, test } from 'vitest';
import { registerConformanceTests } from './conformance/conformance-tests.ts';
import type { ConformanceOptions } from './conformance/options.ts';
import { type ConformOptions, toConform } from './conformance/to-conform.ts';

export type { ConformanceOptions } from './conformance/options.ts';
export type { ConformOptions } from './conformance/to-conform.ts';

declare module 'vitest' {
  interface Matchers<T> {
    /** Passes if a response of fetch conforms to its document, as far as one exchange shows it. */
    toConform(options?: ConformOptions): Promise<void>;
  }
}

expect.extend({ toConform });

/**
 * Turns each property of the conformance suites into a separate test of a service.
 *
 * @example
 * await testConformance({ url: 'http://127.0.0.1:8080', token: process.env.TOKEN });
 *
 * @throws ClocheError if the document or an option cannot be used
 */
export function testConformance(options: ConformanceOptions): Promise<void> {
  return registerConformanceTests(options, {
    describe,
    // oxlint-disable-next-line vitest/expect-expect -- the test throws if the service does not conform
    test: (name, run, timeout) => test(name, { timeout }, run),
    skip: (name) => test.skip(name, () => undefined),
  });
}
