import type { Contract } from '../../contract/contract.ts';
import type { Policy } from '../../policy/policy.ts';
import { createCollections } from '../state/create-collections.ts';
import type { Store } from '../store/store.ts';
import type { ChangeReport } from './change-report.ts';
import { collectionRules } from './collection-rules.ts';
import { createFitCheck } from './create-fit-check.ts';
import { refitStore } from './refit-store.ts';

/** What a mock goes by. */
interface Basis {
  readonly contract: Contract;
  readonly policy: Policy;
}

/**
 * Keeps of the state what fits what a mock goes by now; collections whose rules are the same are not looked through.
 *
 * @param input.before - undefined where it is not known what the state fits
 */
export function keepWhatFits(input: {
  readonly store: Store;
  readonly before: Basis | undefined;
  readonly now: Basis;
}): Promise<ChangeReport> {
  const { store, before, now } = input;
  const was = before && collectionRules(before.contract, before.policy);
  const is = collectionRules(now.contract, now.policy);
  return refitStore({
    store,
    check: createFitCheck(createCollections(now.contract, now.policy)),
    isDecidedOtherwise: (collection) => was?.(collection) !== is(collection) || was === undefined,
  });
}
