import { jsonBodies } from '../../contract/request-facts.ts';
import { isRefused, notAsked, unspecified, unsettled, withMember, writeBody } from '../probing.ts';
import { type ProbeSession, choices, type ProbeMember, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `duplicate-keys-in-json`: the effect of a JSON key that occurs twice in an object. */
export const duplicateKeysInJson: Behaviour<'duplicate-keys-in-json'> = {
  id: 'duplicate-keys-in-json',
  question: 'What happens to duplicate keys in a JSON object?',
  ...choices<'duplicate-keys-in-json'>([
    ['last', 'the last one counts', 'The last one counts.'],
    ['first', 'the first one counts', 'The first one counts.'],
    ['refuse', 'the body is refused', 'The body is refused.'],
  ]),
  // RFC 8259 §4 does not specify it either.
  documentValue: (operation) =>
    jsonBodies(operation).length > 0 ? unspecified : notAsked('the operation takes no JSON object'),
  probe: { mostRequests: 2, needsTaken: true, ask },
};

/** Values that most schemas of properties reject. The last ones are those that a lenient service converts. */
const wrongTexts = ['{}', '[]', '"text"', '5'];

function findWrong(probeSession: ProbeSession, members: readonly ProbeMember[]): ProbeMember | undefined {
  for (const { name } of members.filter((member) => member.name !== probeSession.key?.property)) {
    const text = wrongTexts.find(
      (wrong) => !probeSession.isValid(writeBody(withMember(members, name, [wrong]))),
    );
    if (text !== undefined) return { name, value: [text] };
  }
  return undefined;
}

/** Sends a key twice, once with an invalid value, which comes first or last. */
async function ask(probeSession: ProbeSession): Probed<'duplicate-keys-in-json'> {
  const members = probeSession.sample(0);
  const others = probeSession.sample(1);
  const wrong = members === undefined ? undefined : findWrong(probeSession, members);
  if (members === undefined || others === undefined || wrong === undefined) {
    return notAsked('it takes no JSON object with a property of which some value is invalid');
  }
  const wrongLast = await probeSession.send({ body: writeBody([...members, wrong]) });
  const wrongFirst = await probeSession.send({ body: writeBody([wrong, ...others]) });
  const unusual = [wrongLast, wrongFirst].find((exchange) => !exchange.isAccepted && !isRefused(exchange));
  if (unusual !== undefined) return unsettled(`a key that is given twice is answered ${unusual.status}`);
  if (wrongLast.isAccepted && wrongFirst.isAccepted) {
    return unsettled('it is accepted whichever of the two values is invalid');
  }
  if (isRefused(wrongLast) && isRefused(wrongFirst)) return { kind: 'answer', answer: 'refuse' };
  return { kind: 'answer', answer: wrongFirst.isAccepted ? 'last' : 'first' };
}
