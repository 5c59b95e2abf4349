import { jsonBodies } from '../../contract/request-facts.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { isClosed, isOpenByWord } from '../../schema/walk.ts';
import {
  isRefused,
  notAsked,
  sendUntilShown,
  showsTexts,
  unsettled,
  withMember,
  writeBody,
} from '../probing.ts';
import {
  type ProbeSession,
  choices,
  type HiddenBy,
  type ProbeMember,
  type Behaviour,
  type Probed,
} from '../behaviour.ts';

/** Only the response shows what is stored. */
const unseen: HiddenBy = { by: 'echo', why: 'it is accepted, and no response shows what is stored' };

/** The behaviour `undeclared-properties`: the effect of properties that the request schema does not declare. */
export const undeclaredProperties: Behaviour<'undeclared-properties'> = {
  id: 'undeclared-properties',
  question: 'What happens to properties that the request schema does not declare?',
  ...choices<'undeclared-properties'>([
    ['ignore', 'they are ignored', 'They are accepted and dropped.'],
    ['refuse', 'the body is refused', 'The body is refused.'],
    ['store', 'they are stored and returned', 'They are stored and returned.'],
  ]),
  isDecidedByOpenApi: true,
  documentValue(operation) {
    const bodies = jsonBodies(operation);
    const [first] = bodies;
    if (first === undefined) return notAsked('the operation takes no JSON object');
    const { pointer } = first;
    if (bodies.every(({ schema }) => isClosed(schema?.schema ?? true))) {
      const says = 'The schema of the body allows no other property';
      return { kind: 'answered', pointer, says, answer: 'refuse' };
    }
    return bodies.every(({ schema }) => isOpenByWord(schema?.schema ?? true))
      ? { kind: 'answered', pointer, says: 'The schema of the body allows other properties' }
      : {
          kind: 'open',
          settledBy: 'The schema of the body would have to say additionalProperties, false or not',
        };
  },
  declare({ answer, operation }) {
    const names = jsonBodies(operation).flatMap(({ schema }) => [...schemaProperties(schema?.schema).keys()]);
    const properties = Object.fromEntries(names.map((name): [string, JsonObject] => [name, {}]));
    return {
      additions:
        answer === 'refuse'
          ? [{ kind: 'request-schema', schema: { properties, additionalProperties: false } }]
          : [],
      answer,
    };
  },
  probe: { mostRequests: 4, needsTaken: true, ask },
  hiddenBy: (answers) =>
    answers.echo === 'none' && answers['undeclared-properties'] !== 'refuse' ? unseen : undefined,
};

const name = 'clocheProbe';
const text = 'undeclared';

/** Sends a property that the document does not declare. */
async function ask(probeSession: ProbeSession): Probed<'undeclared-properties'> {
  const members = probeSession.sample();
  if (members === undefined) return notAsked('it takes no JSON object');
  const withAnother = (each: readonly ProbeMember[]) => withMember(each, name, [JSON.stringify(text)]);
  if (!probeSession.isValid(writeBody(withAnother(members)))) {
    return notAsked('its document says that there are no others');
  }
  const sent = await sendUntilShown(probeSession, (slot) => withAnother(probeSession.sample(slot) ?? []));
  const { exchange } = sent;
  if (isRefused(exchange)) return { kind: 'answer', answer: 'refuse' };
  if (!exchange.isAccepted) return unsettled(`it is answered ${exchange.status}`);
  if (isJsonObject(exchange.received) && exchange.received[name] === text) {
    return { kind: 'answer', answer: 'store' };
  }
  return showsTexts(exchange, sent.members)
    ? { kind: 'answer', answer: 'ignore' }
    : { kind: 'masked', ...unseen };
}
