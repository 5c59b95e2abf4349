import type { Contract } from '../../contract/contract.ts';
import { learn } from '../../learn/learn.ts';
import type { LearnEvent } from '../../learn/learn-event.ts';
import type { LearnOptions } from '../../learn/learn-options.ts';
import { createMock } from '../../mock/create-mock.ts';

/** What a dry run sends as its token: good for bearer, API keys and basic authentication alike (RFC 7617 §2). */
export const dryToken = 'cloche:dry-run';

/**
 * Asks the in-process mock in the place of a service, on a clock that moves only where somebody waits.
 *
 * @returns the requests in order
 */
export async function learnDry(
  contract: Contract,
  options: Pick<LearnOptions, 'keys' | 'questions' | 'trials' | 'mostRequests'>,
): Promise<readonly Extract<LearnEvent, { kind: 'exchange' }>[]> {
  let now = Date.now();
  const clock = (): number => now;
  const sent: Extract<LearnEvent, { kind: 'exchange' }>[] = [];
  const mock = await createMock(contract, { tokens: [dryToken], clock });
  try {
    await learn({
      ...options,
      contract,
      send: mock.send,
      token: dryToken,
      clock,
      sleep: async (ms) => {
        now += ms;
      },
      emit(event) {
        if (event.kind === 'exchange') {
          sent.push(event);
        }
      },
    });
  } finally {
    await mock.close();
  }
  return sent;
}
