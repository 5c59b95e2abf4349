import type { Mock } from '../mock.ts';
import type { HeldState } from '../state/hold-state.ts';
import type { Store } from '../store/store.ts';
import type { ChangeReport } from './change-report.ts';
import type { Preparer } from './create-preparer.ts';
import type { Turns } from './create-turns.ts';
import type { Prepared } from './prepared.ts';

/**
 * Creates what takes up another contract, other answers or other data, one change after the other. Where the store
 * fails on the way, the mock goes on as it was.
 *
 * @param input.inTurn - shared with whatever else must not meet a change on its way
 * @param input.current - what is answered by now
 * @param input.take - has requests answered by something else from now on
 */
export function createChange(input: {
  readonly store: Store;
  readonly held: HeldState;
  readonly prepare: Preparer;
  readonly inTurn: Turns;
  readonly current: () => Prepared;
  readonly take: (prepared: Prepared, change: { readonly isStart: boolean }) => void;
}): Mock['change'] {
  const { store, held, prepare, inTurn, current, take } = input;
  /** Whether the state may hold what does not fit, as a change was broken off. */
  let isInDoubt = false;

  async function refit(before: Prepared, now: Prepared): Promise<ChangeReport> {
    const { keepWhatFits } = await import('./keep-what-fits.ts');
    try {
      const former = isInDoubt ? undefined : before.basis;
      const report = await keepWhatFits({ store, before: former, now: now.basis });
      isInDoubt = false;
      return report;
    } catch (error) {
      isInDoubt = true;
      take(before, { isStart: false });
      throw error;
    }
  }

  return ({ contract, policy, data, isStart = false }) =>
    inTurn(async () => {
      const before = current();
      const isOther = contract !== undefined || policy !== undefined;
      const answers = typeof policy === 'function' ? policy(before.answers) : policy;
      const now = isOther ? await prepare(contract ?? before.contract, answers ?? before.answers) : before;
      if (data !== undefined) {
        await held.check(data, now.basis);
      }
      // Requests come in by the new rules from now on, so that nothing is added that would not fit.
      take(now, { isStart: false });
      const report = await refit(before, now);
      take(now, { isStart });
      return data === undefined ? report : { ...report, data: await held.change(data) };
    });
}
