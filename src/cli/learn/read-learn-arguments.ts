import { createArgumentReader } from '../create-argument-reader.ts';
import type { LearnArguments } from './learn-arguments.ts';

/** As yargs gives them: a list where an option was given again, a text where it is no number. */
export type GivenLearnArguments = { readonly [Name in keyof LearnArguments]: unknown };

/**
 * Reads what `cloche learn` was given.
 *
 * @throws ClocheError OPTION_INVALID for the first option that has a value it cannot take
 */
export function readLearnArguments(given: GivenLearnArguments): LearnArguments {
  const { text, token, number, optionalNumber, list, flag } = createArgumentReader(given);
  return {
    'base-url': text('base-url') ?? '',
    output: text('output'),
    document: text('document'),
    'allow-references': flag('allow-references'),
    token: token(),
    header: list('header'),
    insecure: flag('insecure'),
    ca: text('ca'),
    timeout: number('timeout'),
    'response-limit': number('response-limit'),
    ids: text('ids'),
    question: list('question'),
    trials: number('trials'),
    'max-requests': number('max-requests'),
    rate: optionalNumber('rate'),
    'rate-wait': number('rate-wait'),
    'dry-run': flag('dry-run'),
  };
}
