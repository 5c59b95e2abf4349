import { escapeLine } from '../errors/console-text.ts';
import type { RunResult } from '../events/events.ts';
import type { Property, Suite } from '../runner/suite.ts';
import { selectTargets } from '../runner/target-operations.ts';
import { actsOnService } from '../contract/service-operations.ts';
import { type Conformance, openConformance } from './open-conformance.ts';
import type { ConformanceOptions } from './options.ts';

/** A test of one property of a service, for any test runner. */
export interface ConformanceTest {
  /** The id of its suite. */
  readonly suite: string;
  /** Its unique name: `valid-bodies/create.plain: A plain valid body is accepted`. */
  readonly name: string;
  /** The reason why it is skipped; undefined if it is not. */
  readonly skip: string | undefined;
  /** The time after which a test runner may give up, in milliseconds. */
  readonly timeout: number;
  /** Runs it. @throws ConformanceError if the service does not conform, with the findings in its message */
  readonly run: () => Promise<void>;
}

/** Time limit of all requests of one property, in milliseconds. */
const propertyTimeoutMs = 60_000;
/** The time that a test with `maxTime` may need in addition, in milliseconds. */
const graceMs = 10_000;
const keysPerProperty = 100_000;

function drawKeys(): readonly [from: number, to: number] {
  const from = 1 + Math.floor(Math.random() * (2 ** 31 - 2 - keysPerProperty));
  return [from, from + keysPerProperty - 1];
}

/** Lists the properties of a suite, or the reason why it has none. */
function planSuite(
  suite: Suite,
  { contract, excluded, policy, enforced }: Conformance,
  { unsafeMethods = false, readOnly = false, users }: ConformanceOptions,
): readonly Property[] | string {
  const { targets } = selectTargets({ contract, excluded, readOnly, unsafeMethods });
  const ofService = targets.filter(actsOnService);
  const hasOtherUser = users?.other !== undefined;
  const planFor = (operations: typeof targets): ReturnType<Suite['plan']> =>
    suite.plan({ contract: { ...contract, operations }, policy, enforced, unsafeMethods, hasOtherUser });
  const plan = planFor(targets.filter((operation) => !ofService.includes(operation)));
  // One plain request to each operation that affects the whole service is enough.
  const last = suite.sendsPlainly === true && ofService.length > 0 ? planFor(ofService) : undefined;
  const properties = [plan, last].flatMap((each) => (each?.kind === 'properties' ? each.properties : []));
  return plan.kind === 'not-applicable' && properties.length === 0 ? plan.reason : properties;
}

/**
 * Turns each property of the conformance suites into a test, for `node:test` and every other test runner.
 *
 * @example
 * import { test } from 'node:test';
 *
 * for (const { name, run, ...options } of await conformanceTests({ app, document: 'orders.yaml' })) {
 *   test(name, options, run);
 * }
 *
 * @throws ClocheError if the document or an option cannot be used
 */
export async function conformanceTests(options: ConformanceOptions): Promise<readonly ConformanceTest[]> {
  const conformance = await openConformance(options);
  const { maxTime, path } = options;
  const timeout = maxTime === undefined ? propertyTimeoutMs : maxTime * 1_000 + graceMs;
  const replayed = path?.replace(/:[\d:]*$/u, '');

  function toTest(suite: Suite, property: Property): ConformanceTest {
    const only: Suite = {
      ...suite,
      sendsPlainly: false,
      plan: () => ({ kind: 'properties', properties: [property] }),
    };
    return {
      suite: suite.id,
      name: escapeLine(`${suite.id}/${property.id}: ${property.title}`),
      skip:
        property.via === 'socket' && options.fetch !== undefined
          ? 'a fetch handler has no connection'
          : undefined,
      timeout,
      async run() {
        await conformance.run([only], {
          keys: drawKeys(),
          rateWaitMs: propertyTimeoutMs / 2,
          partly: 'a test runs one property',
        });
      },
    };
  }

  return conformance.suites.flatMap((suite): readonly ConformanceTest[] => {
    const planned = planSuite(suite, conformance, options);
    if (typeof planned !== 'string') {
      const chosen = planned.filter(({ id }) => replayed === undefined || replayed === `${suite.id}/${id}`);
      return chosen.map((property) => toTest(suite, property));
    }
    const run = (): Promise<void> => Promise.resolve();
    const name = escapeLine(`${suite.id}: ${suite.title}`);
    return [{ suite: suite.id, name, skip: escapeLine(planned), timeout, run }];
  });
}

/**
 * Runs all suites on a service, as one test.
 *
 * @returns the result of the run
 * @throws ConformanceError if the service does not conform, with the findings in its message
 * @throws ClocheError if the document or an option cannot be used, or the service cannot be tested
 */
export async function testService(options: ConformanceOptions): Promise<RunResult> {
  const conformance = await openConformance(options);
  const partly = options.suites === undefined ? {} : { partly: 'only some suites were run' };
  return conformance.run(conformance.suites, partly);
}

/** The functions of a test runner that register tests. */
interface TestRunner {
  readonly describe: (name: string, register: () => void) => void;
  readonly test: (name: string, run: () => Promise<void>, timeoutMs: number) => void;
  readonly skip: (name: string) => void;
}

/** Registers conformance tests with a test runner: a group for each suite. @throws ClocheError as {@link conformanceTests} */
export async function registerConformanceTests(
  options: ConformanceOptions,
  runner: TestRunner,
): Promise<void> {
  const tests = await conformanceTests(options);
  for (const suite of new Set(tests.map((each) => each.suite))) {
    runner.describe(suite, () => {
      for (const { name, skip, run, timeout } of tests.filter((each) => each.suite === suite)) {
        const shown = name.slice(suite.length + 1).trim();
        if (skip === undefined) runner.test(shown, run, timeout);
        else runner.skip(`${shown} (${skip})`);
      }
    });
  }
}
