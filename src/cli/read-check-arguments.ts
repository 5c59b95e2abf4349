import { checkToken } from './check-token.ts';
import { createArgumentReader } from './create-argument-reader.ts';

/** What `cloche check` takes. */
export interface CheckArguments {
  readonly files: readonly string[];
  readonly 'base-url': string | undefined;
  readonly document: string | undefined;
  readonly 'allow-references': boolean;
  readonly policy: string | undefined;
  readonly answer: readonly string[];
  readonly token: readonly string[];
  readonly coverage: boolean;
  readonly report: readonly string[];
  readonly strict: boolean;
}

/**
 * Reads what `cloche check` was given.
 *
 * @param given - as yargs gives it
 * @throws ClocheError OPTION_INVALID for the first option that has a value it cannot take
 */
export function readCheckArguments(given: {
  readonly [Name in keyof CheckArguments]: unknown;
}): CheckArguments {
  const { text, list, flag } = createArgumentReader(given);
  return {
    files: list('files'),
    'base-url': text('base-url'),
    document: text('document'),
    'allow-references': flag('allow-references'),
    policy: text('policy'),
    answer: list('answer'),
    token: list('token').map((token) => checkToken('--token', token)),
    coverage: flag('coverage'),
    report: list('report'),
    strict: flag('strict'),
  };
}
