import { acceptedTokens } from './accepted-tokens.ts';
import { echo } from './echo.ts';
import type { Policy } from './policy.ts';

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? // `as`: an object that has the property.
      (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/**
 * The two answers that a run takes from the policy beside its document even where it is told none: what a
 * create answers with, and which tokens are good.
 *
 * @param file - what the policy file holds: `{ contract, answers: { echo: 'exact', … } }`
 */
export function pickRunAnswers(file: unknown): Partial<Pick<Policy, 'echo' | 'accepted-tokens'>> {
  const answers = property(file, 'answers');
  const sentBack = echo.representatives.find((answer) => answer === property(answers, 'echo'));
  const tokens = acceptedTokens.representatives.find(
    (answer) => answer === property(answers, 'accepted-tokens'),
  );
  return {
    ...(sentBack === undefined ? {} : { echo: sentBack }),
    ...(tokens === undefined ? {} : { 'accepted-tokens': tokens }),
  };
}
