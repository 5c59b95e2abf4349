import type { Contract } from '../contract/contract.ts';
import type { NotChecked } from '../runner/run-event.ts';

/**
 * What passing traffic shows to nobody, whatever passes: for that a run sends requests of its own.
 *
 * @param known.everyToken - whether every good token is known
 * @param known.freshKeys - whether an accepted create says that its key was free
 */
export function listUnseen(
  { operations }: Pick<Contract, 'operations'>,
  known: { readonly everyToken: boolean; readonly freshKeys: boolean },
): readonly NotChecked[] {
  const isGuarded = operations.some(({ security }) => security.flat().length > 0);
  const hasKeys = operations.some(({ kind }) => kind.kind === 'create' && kind.key.kind === 'client');
  return [
    ...(isGuarded && !known.everyToken
      ? [
          {
            what: 'tokens that the service should not take',
            reason:
              'which are good is not known; --token names one that is, and --answer accepted-tokens=listed says that no other is',
          },
        ]
      : []),
    ...(hasKeys && !known.freshKeys
      ? [
          {
            what: 'whether a create answers with what was sent',
            reason:
              'its key may have existed; a policy that says what becomes of such a key (duplicate-key) would tell',
          },
        ]
      : []),
    {
      what: 'what several requests show together, and what valid requests are refused for',
      reason:
        'nobody knows what the service held before; cloche test sends such requests with keys of its own',
    },
  ];
}
