import type { Judged } from '../check/judged.ts';
import type { Property } from './suite.ts';
import type { Session } from './session.ts';

/**
 * Runs a case of a property up to the first request that is never answered: each further one might take a whole
 * time-out more.
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
      isHung ||= judged.exchange.answer.kind === 'timed-out';
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
