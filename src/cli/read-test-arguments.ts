import { checkToken } from './check-token.ts';
import { createArgumentReader } from './create-argument-reader.ts';
import type { TestArguments } from './test-arguments.ts';

/** As yargs gives them: a list where an option was given again, a text where it is no number. */
export type GivenArguments = { readonly [Name in keyof TestArguments]: unknown };

/**
 * Reads what `cloche test` was given.
 *
 * @throws ClocheError OPTION_INVALID for the first option that has a value it cannot take
 */
export function readTestArguments(given: GivenArguments): TestArguments {
  const { text, token, number, optionalNumber, list, flag } = createArgumentReader(given);
  return {
    'base-url': text('base-url'),
    document: text('document'),
    policy: text('policy'),
    answer: list('answer'),
    'allow-references': flag('allow-references'),
    token: token(),
    against: text('against'),
    'against-token':
      given['against-token'] === undefined
        ? undefined
        : checkToken('--against-token', given['against-token']),
    header: list('header'),
    suite: list('suite'),
    runs: number('runs'),
    seed: optionalNumber('seed'),
    path: text('path'),
    ids: text('ids'),
    connections: number('connections'),
    timeout: number('timeout'),
    'response-limit': number('response-limit'),
    rate: optionalNumber('rate'),
    'rate-wait': number('rate-wait'),
    'max-time': optionalNumber('max-time'),
    strict: flag('strict'),
    baseline: text('baseline'),
    'update-baseline': flag('update-baseline'),
    coverage: flag('coverage'),
    report: list('report'),
    'unsafe-methods': flag('unsafe-methods'),
    insecure: flag('insecure'),
    ca: text('ca'),
    bail: flag('bail'),
  };
}
