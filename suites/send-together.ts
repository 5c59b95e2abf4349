import type { RequestCase } from '../src/arbitrary/request-case.ts';
import type { Judged } from '../src/check/judged.ts';
import type { KeyBinding, Session } from '../src/runner/session.ts';

/**
 * Sends requests side by side.
 *
 * @param requests - each with the keys that it takes
 * @returns what came of each, in the order given
 * @throws what the first that failed threw, when all have ended
 */
export async function sendTogether(
  requests: readonly (readonly [request: RequestCase, keys: KeyBinding])[],
  session: Session,
): Promise<readonly Judged[]> {
  const sent = await Promise.allSettled(requests.map(([request, keys]) => session.send(request, keys)));
  return sent.map((one) => {
    if (one.status === 'rejected') {
      throw one.reason;
    }
    return one.value;
  });
}
