import { ClocheError } from '../../errors/cloche-error.ts';
import type { MockState } from '../state/mock-state.ts';
import type { Store } from '../store/store.ts';
import type { Turns } from './create-turns.ts';
import type { Prepared } from './prepared.ts';
import { setAsideName } from './set-aside-name.ts';

function checkName(attempt: string, name: string): void {
  if (name === setAsideName) {
    throw new ClocheError('OPTION_INVALID', {
      attempt,
      subject: name,
      reason: 'it holds what does not fit the contract, which comes back by itself as soon as it fits',
      remedy: 'Choose another name',
    });
  }
}

/**
 * A state whose snapshots come back as far as they fit: they may be older than the contract or the policy. What does not
 * fit is set aside, as at a change, in place of what was set aside before.
 *
 * @param input.inTurn - shared with whatever else must not meet a restored state on its way
 * @param input.basis - as it is now
 * @param input.isKnownToFit - whether no snapshot can be older than that
 */
export function withFittingSnapshots(input: {
  readonly state: MockState;
  readonly store: Store;
  readonly inTurn: Turns;
  readonly basis: () => Prepared['basis'];
  readonly isKnownToFit: () => boolean;
}): MockState {
  const { state, store, inTurn, basis, isKnownToFit } = input;
  return {
    ...state,
    // It takes a while where rows are many, and is not to come in by rules that have changed meanwhile.
    import: (rows, mode) => inTurn(() => state.import(rows, mode)),
    async save(name) {
      checkName('keep a snapshot as', name);
      await state.save(name);
    },
    async restore(name) {
      checkName('restore the snapshot', name);
      return inTurn(async () => {
        const isThere = await state.restore(name);
        if (isThere && !isKnownToFit()) {
          await store.deleteSnapshot(setAsideName);
          const { keepWhatFits } = await import('./keep-what-fits.ts');
          await keepWhatFits({ store, before: undefined, now: basis() });
        }
        return isThere;
      });
    },
  };
}
