import type { Against } from '../runner/parity/against.ts';
import type { Target } from '../runner/target.ts';
import { listSecrets, type Secret } from './list-secrets.ts';

/**
 * What no report on two targets may show: the secrets of the one that is tested first, then those that the other has
 * besides.
 */
export function listSecretsOfBoth(
  target: Target,
  against: (Target & Against) | undefined,
): readonly Secret[] {
  const own = listSecrets(target);
  if (against === undefined) {
    return own;
  }
  const known = new Set(['', ...own.map(({ value }) => value)]);
  const others = listSecrets(against).filter(({ value }) => !known.has(value) && known.add(value));
  return [
    ...own,
    ...others.map(({ value, meaning }) => ({ value, meaning: `${meaning} for ${against.names.other}` })),
  ];
}
