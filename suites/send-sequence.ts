import type { Judged } from '../src/check/judged.ts';
import type { Session } from '../src/runner/session.ts';
import type { Sequence } from './sequence.ts';

/** Sends the requests one after the other, each group with keys of its own. */
export async function sendSequence(sequence: Sequence, session: Session): Promise<readonly Judged[]> {
  const trace: Judged[] = [];
  for (const group of sequence) {
    const keys = session.bindKeys();
    for (const request of group) {
      trace.push(await session.send(request, keys));
    }
  }
  return trace;
}
