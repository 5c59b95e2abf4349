import type { Contract } from '../../contract/contract.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Store } from '../store/store.ts';
import { checkDataCount } from './check-data-count.ts';
import type { Collections } from './create-collections.ts';
import type { DataReport } from './data-report.ts';
import type { MockState } from './mock-state.ts';
import { openLater } from './open-later.ts';
import type { StartData } from './start-data.ts';
import type { GivenRows } from './to-state-rows.ts';

/** What a mock goes by. */
interface Basis {
  readonly contract: Contract;
  readonly policy: Policy;
}

/** The data that a mock is to start from. */
export interface DataToStartFrom {
  readonly data?: GivenRows;
  /** How many rows are made up for each collection that has none given. */
  readonly dataCount?: number;
  readonly seed?: number;
}

/** The state of a mock, and the data it starts from. */
export interface HeldState {
  readonly state: MockState;
  /** What became of the data when it was last brought in; undefined where there is none. */
  readonly report: () => DataReport | undefined;
  /**
   * Brings the data in, as far as it is not there.
   *
   * @throws DataError which names each row that the contract does not take
   */
  readonly begin: () => Promise<void>;
  /** As it was at the start. */
  readonly reset: () => Promise<void>;
  /**
   * Checks other data.
   *
   * @throws DataError which names each row that is not taken
   */
  readonly check: (data: GivenRows, basis: Basis) => Promise<void>;
  /**
   * Takes up other data.
   *
   * @throws DataError which names each row that the contract does not take; nothing is changed then
   */
  readonly change: (data: GivenRows) => Promise<DataReport>;
}

/** The rows that are made up differ for each seed; this one is as good as any. */
const usualSeed = 1;

/**
 * Holds the state of a mock. What looks into it, checks rows or makes some up is loaded when it is needed.
 *
 * @param input.basis - as it is now; one object as long as it stays the same
 * @throws ClocheError OPTION_INVALID for a number of rows that is none
 */
export function holdState(input: {
  readonly store: Store;
  readonly basis: () => Basis;
  readonly start: DataToStartFrom;
}): HeldState {
  const { store, basis, start } = input;
  const count = checkDataCount(start.dataCount);
  let known: { readonly basis: Basis; readonly collections: Collections } | undefined;
  let startData: StartData | undefined;
  let report: DataReport | undefined;

  async function openCollections(): Promise<() => Collections> {
    const { createCollections } = await import('./create-collections.ts');
    return () => {
      const now = basis();
      if (known?.basis !== now) {
        known = { basis: now, collections: createCollections(now.contract, now.policy) };
      }
      return known.collections;
    };
  }

  const state = openLater(async () => {
    const { createMockState } = await import('./create-mock-state.ts');
    return createMockState({ store, collections: await openCollections() });
  });

  async function openStartData(): Promise<StartData> {
    const { createStartData } = await import('./start-data.ts');
    const { seed = usualSeed } = start;
    startData ??= createStartData({
      store,
      collections: await openCollections(),
      given: start.data === undefined ? {} : start.data,
      wanted: count,
      generate:
        count === 0
          ? undefined
          : async (collections, given) => {
              const { generateRows } = await import('./generate-rows.ts');
              return generateRows({ collections, given, count, seed });
            },
    });
    return startData;
  }

  return {
    state,
    report: () => report,
    async begin() {
      if (start.data !== undefined || count > 0) {
        const data = await openStartData();
        report = await data.begin();
      }
    },
    async reset() {
      if (startData === undefined) {
        await store.reset();
        return;
      }
      report = await startData.reset();
    },
    async check(data, next) {
      const { createCollections } = await import('./create-collections.ts');
      const opened = await openStartData();
      await opened.check(data, createCollections(next.contract, next.policy));
    },
    async change(data) {
      const opened = await openStartData();
      report = await opened.change(data);
      return report;
    },
  };
}
