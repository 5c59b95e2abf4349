import { ClocheError } from '../../errors/cloche-error.ts';
import type { MockClock } from '../clock/mock-clock.ts';
import { resetParts } from '../control/reset-part.ts';
import type { FaultRules } from '../faults/fault-rule.ts';
import type { RequestLog } from '../log/request-log.ts';
import type { Mock } from '../mock.ts';
import type { HeldState } from '../state/hold-state.ts';
import type { Store } from '../store/store.ts';
import type { Turns } from './create-turns.ts';
import { setAsideName } from './set-aside-name.ts';

/** Who writes JavaScript has no compiler that tells of a part that would be passed over. */
function checkParts(parts: unknown): void {
  const known: readonly unknown[] = resetParts;
  const listed: readonly unknown[] | undefined = Array.isArray(parts) ? parts : undefined;
  const wrong = listed === undefined ? parts : listed.find((part) => !known.includes(part));
  if (wrong !== undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'reset the part',
      subject: typeof wrong === 'string' ? wrong : typeof wrong,
      reason: listed === undefined ? 'it is no list of parts' : 'a mock has no such part',
      remedy: `Give a list of ${resetParts.join(', ')}, or nothing for all`,
    });
  }
}

/**
 * Creates what brings the parts of a mock back to how they were at the start.
 *
 * @param input.resetPolicy - has the answers of the start given again
 */
export function createReset(input: {
  readonly store: Store;
  readonly held: HeldState;
  readonly inTurn: Turns;
  readonly faults: FaultRules;
  readonly requests: RequestLog;
  readonly clock: MockClock;
  readonly resetPolicy: () => Promise<void>;
}): Mock['reset'] {
  const { store, held, inTurn, faults, requests, clock, resetPolicy } = input;
  return async (parts = resetParts) => {
    checkParts(parts);
    if (parts.includes('policy')) {
      await resetPolicy();
    }
    if (parts.includes('state')) {
      // A change on its way would bring back what it has seen before.
      await inTurn(async () => {
        await held.reset();
        await store.deleteSnapshot(setAsideName);
      });
    }
    if (parts.includes('faults')) {
      faults.reset();
    }
    if (parts.includes('requests')) {
      requests.clear();
    }
    if (parts.includes('clock')) {
      clock.reset();
    }
  };
}
