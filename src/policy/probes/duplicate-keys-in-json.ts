import type { DuplicateKeysInJsonAnswer } from '../duplicate-keys-in-json.ts';
import type { Asker, Probe, ProbeMember, ProbeReading } from '../probe.ts';
import { isRefused } from './is-refused.ts';
import { notAsked } from './not-asked.ts';
import { unsettled } from './unsettled.ts';
import { withMember } from './with-member.ts';
import { writeBody } from './write-body.ts';

/** Values of which most schemas of properties take none; those last that a lenient service makes a valid one of. */
const wrongTexts = ['{}', '[]', '"text"', '5'];

function findWrong(asker: Asker, members: readonly ProbeMember[]): ProbeMember | undefined {
  for (const { name } of members.filter((member) => member.name !== asker.key?.property)) {
    const text = wrongTexts.find((wrong) => !asker.isValid(writeBody(withMember(members, name, [wrong]))));
    if (text !== undefined) {
      return { name, value: [text] };
    }
  }
  return undefined;
}

async function ask(asker: Asker): Promise<ProbeReading<DuplicateKeysInJsonAnswer>> {
  const members = asker.sample(0);
  const others = asker.sample(1);
  const wrong = members === undefined ? undefined : findWrong(asker, members);
  if (members === undefined || others === undefined || wrong === undefined) {
    return notAsked('it takes no JSON object with a property of which some value is invalid');
  }
  const wrongLast = await asker.send({ body: writeBody([...members, wrong]) });
  const wrongFirst = await asker.send({ body: writeBody([wrong, ...others]) });
  const odd = [wrongLast, wrongFirst].find((exchange) => !exchange.isAccepted && !isRefused(exchange));
  if (odd !== undefined) {
    return unsettled(`a key that is given twice is answered ${odd.status}`);
  }
  if (wrongLast.isAccepted && wrongFirst.isAccepted) {
    return unsettled('it is taken whichever of the two values is invalid');
  }
  if (isRefused(wrongLast) && isRefused(wrongFirst)) {
    return { kind: 'answer', answer: 'refuse' };
  }
  return { kind: 'answer', answer: wrongFirst.isAccepted ? 'last' : 'first' };
}

/** Asks with a key given twice, once with a value that is invalid, first and last. */
export const duplicateKeysInJsonProbe: Probe<DuplicateKeysInJsonAnswer> = {
  mostRequests: 2,
  needsTaken: true,
  ask,
};
