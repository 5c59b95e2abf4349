import { registerConformanceTests } from './conformance/conformance-tests.ts';
import type { ConformanceOptions } from './conformance/options.ts';
import { type ConformOptions, toConform } from './conformance/to-conform.ts';
import { ClocheError } from './errors/cloche-error.ts';

export type { ConformanceOptions } from './conformance/options.ts';
export type { ConformOptions } from './conformance/to-conform.ts';

interface ConformMatchers<Result> {
  /** Passes if a response of fetch conforms to its document, as far as one exchange shows it. */
  toConform(options?: ConformOptions): Promise<Result>;
}

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- Jest declares its types so
  namespace jest {
    interface Matchers<R> extends ConformMatchers<R> {}
  }
}

// The same for `expect` of `@jest/globals`. The package `expect` is a part of Jest, which only users of Jest have.
/** @ts-ignore */
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>> extends ConformMatchers<R> {}
}

/** The functions of Jest in its global scope. */
interface Jest {
  readonly describe: (name: string, register: () => void) => void;
  readonly test: ((name: string, run: () => Promise<void>, timeoutMs?: number) => void) & {
    readonly skip: (name: string, run: () => void) => void;
  };
  readonly expect: { readonly extend: (matchers: { readonly toConform: typeof toConform }) => void };
}

function findJest(): Jest {
  if ('describe' in globalThis && 'test' in globalThis && 'expect' in globalThis) {
    // `as`: Jest defines these globals.
    return globalThis as unknown as Jest;
  }
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'use',
    subject: 'cloche/jest',
    reason: 'Jest has not defined describe, test and expect as globals',
    remedy: 'Import it in a test file of Jest, without injectGlobals: false',
  });
}

findJest().expect.extend({ toConform });

/**
 * Turns each property of the conformance suites into a separate test of a service. A test file of ES modules awaits it.
 *
 * @example
 * await testConformance({ url: 'http://127.0.0.1:8080', token: process.env.TOKEN });
 *
 * @throws ClocheError if the document or an option cannot be used
 */
export function testConformance(options: ConformanceOptions): Promise<void> {
  const { describe, test } = findJest();
  return registerConformanceTests(options, {
    describe,
    test,
    skip: (name) => test.skip(name, () => undefined),
  });
}
