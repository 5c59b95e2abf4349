import { ClocheError } from '../../errors/cloche-error.ts';
import type { PolicyChange } from './merge-policy-change.ts';

/**
 * Refuses a change that lets in the tokens of a list, of a mock that has no list: it would turn everybody away.
 *
 * @throws ClocheError OPTION_INVALID
 */
export function refuseToLockOut({ answers = {}, operations = {} }: PolicyChange): void {
  const isListed = [answers, ...Object.values(operations)].some(
    (change) => change?.['accepted-tokens'] === 'listed',
  );
  if (isListed) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use the policy',
      subject: 'accepted-tokens: listed',
      reason: 'the mock was given no tokens, so that it would turn everybody away',
      remedy: 'Start it with --token, or the option "tokens"',
    });
  }
}
