import { quoteForBash, quoteWord } from '../http/quote-for-bash.ts';
import { usualResponseLimit } from '../http/send-target.ts';
import { secretVariables } from '../http/secret-variables.ts';
import { toBashParts } from '../http/to-bash-parts.ts';
import type { Secret } from './list-secrets.ts';
import type { TestArguments } from './test-arguments.ts';

/**
 * The command that a replay line starts with: what was tested, and how it was reached. A variable of the
 * shell stands in the place of each secret, as in the curl lines.
 */
export function renderCommand(input: TestArguments, secrets: readonly Secret[]): string {
  const variables = secretVariables(secrets.map(({ value }) => value));
  const words = ['npx cloche test'];
  const add = (option: string, value: string | undefined): void => {
    words.push(...(value === undefined ? [] : [`--${option}`, value]));
  };
  words.push(...(input['base-url'] === undefined ? [] : [quoteWord(input['base-url'])]));
  add('document', input.document && quoteWord(input.document));
  add('policy', input.policy && quoteWord(input.policy));
  input.answer.forEach((answer) => add('answer', quoteWord(answer)));
  input.header.forEach((header) => add('header', quoteForBash(toBashParts(header, variables))));
  add('against', input.against && quoteWord(input.against));
  add(
    'against-token',
    input['against-token'] && quoteForBash(toBashParts(input['against-token'], variables)),
  );
  words.push(...(input['allow-references'] ? ['--allow-references'] : []));
  words.push(...(input.insecure ? ['--insecure'] : []));
  add('ca', input.ca && quoteWord(input.ca));
  words.push(...(input['unsafe-methods'] ? ['--unsafe-methods'] : []));
  add('timeout', input.timeout === 5_000 ? undefined : String(input.timeout));
  const limit = input['response-limit'];
  add('response-limit', limit === usualResponseLimit ? undefined : String(limit));
  return words.join(' ');
}
