import type { CheckId } from '../check/check-id.ts';
import type { Judged } from '../check/judged.ts';
import type { Property } from './suite.ts';
import type { Session } from './session.ts';

/** What costs a time-out, or as many bytes as are read, each time that it is seen. */
export const costlyChecks: ReadonlySet<CheckId> = new Set<CheckId>(['timed-out', 'response-size']);

/**
 * Runs a case of a property up to the first request that is never answered, or whose answer is longer than is read: each
 * further one might cost as much.
 *
 * @returns what the property returns, or the exchanges that there were by then
 * @throws whatever the property throws
 */
export async function endAtHang(
  property: Property,
  testCase: unknown,
  session: Session,
): Promise<readonly Judged[]> {
  const hung = new Error('a request was never answered');
  const made: Judged[] = [];
  let isHung = false;
  const guarded: Session = {
    ...session,
    async send(request, keys) {
      if (isHung) {
        throw hung;
      }
      const judged = await session.send(request, keys);
      made.push(judged);
      const { answer } = judged.exchange;
      isHung ||=
        answer.kind === 'timed-out' || (answer.kind === 'response' && answer.response.cutAfter !== undefined);
      return judged;
    },
  };
  try {
    return await property.run(testCase, guarded);
  } catch (error) {
    if (error === hung) {
      return made;
    }
    throw error;
  }
}
