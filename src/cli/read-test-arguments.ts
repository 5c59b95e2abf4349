import { checkNumber } from './check-number.ts';
import { checkText } from './check-text.ts';
import { checkToken } from './check-token.ts';
import { numberRanges } from './number-ranges.ts';
import type { TestArguments } from './test-arguments.ts';

/** As yargs gives them: a list where an option was given again, a text where it is no number. */
export type GivenArguments = { readonly [Name in keyof TestArguments]: unknown };

type TextOption = 'base-url' | 'document' | 'path' | 'ids' | 'ca' | 'baseline';
type NumberOption = keyof typeof numberRanges;

/**
 * Reads what `cloche test` was given.
 *
 * @throws ClocheError OPTION_INVALID for the first option that has a value it cannot take
 */
export function readTestArguments(given: GivenArguments): TestArguments {
  function text(option: TextOption): string | undefined {
    return given[option] === undefined ? undefined : checkText(option, given[option]);
  }

  function number(option: NumberOption): number {
    return checkNumber(option, given[option], numberRanges[option]);
  }

  function list(option: 'header' | 'suite' | 'report'): readonly string[] {
    const value = given[option];
    return Array.isArray(value) ? value.map(String) : [];
  }

  return {
    'base-url': text('base-url'),
    document: text('document'),
    'allow-references': given['allow-references'] === true,
    token: given.token === undefined ? undefined : checkToken('--token', given.token),
    header: list('header'),
    suite: list('suite'),
    runs: number('runs'),
    seed: given.seed === undefined ? undefined : number('seed'),
    path: text('path'),
    ids: text('ids'),
    connections: number('connections'),
    timeout: number('timeout'),
    rate: given.rate === undefined ? undefined : number('rate'),
    'rate-wait': number('rate-wait'),
    'max-time': given['max-time'] === undefined ? undefined : number('max-time'),
    strict: given.strict === true,
    baseline: text('baseline'),
    'update-baseline': given['update-baseline'] === true,
    coverage: given.coverage === true,
    report: list('report'),
    'unsafe-methods': given['unsafe-methods'] === true,
    insecure: given.insecure === true,
    ca: text('ca'),
    bail: given.bail === true,
  };
}
