import type { Asker, ProbeExchange, ProbeMember } from '../probe.ts';
import { readTexts } from './read-texts.ts';
import { showsTexts } from './shows-texts.ts';
import { writeBody } from './write-body.ts';

/** Where one key in four is another's, four of them are in one case of 256. */
const mostTries = 4;

/**
 * Creates until an answer shows what was sent, with a key of its own each time: a live store may hold the key already, and
 * answer with what it has under it.
 *
 * @param makeBody - the members to send, with the key in the slot given
 * @returns the last exchange and what was sent, whether it is shown or not
 */
export async function sendUntilShown(
  asker: Asker,
  makeBody: (slot: number) => readonly ProbeMember[],
): Promise<{
  readonly exchange: ProbeExchange;
  readonly members: readonly ProbeMember[];
  readonly slot: number;
}> {
  const tries = asker.settled('echo') === 'none' ? 1 : mostTries;
  for (let slot = 0; ; slot += 1) {
    const members = makeBody(slot);
    const exchange = await asker.send({ body: writeBody(members) });
    const isShown = readTexts(members).size === 0 || showsTexts(exchange, members);
    if (!exchange.isAccepted || isShown || slot + 1 >= tries) {
      return { exchange, members, slot };
    }
  }
}
