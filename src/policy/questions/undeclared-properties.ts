import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { isClosed, isOpenByWord } from '../../schema/walk.ts';
import {
  isRefused,
  jsonBodies,
  notAsked,
  sendUntilShown,
  showsTexts,
  unsettled,
  withMember,
  writeBody,
} from '../probing.ts';
import type {
  Asker,
  FindMask,
  Probe,
  ProbeMember,
  ProbeReading,
  Question,
  QuestionSilence,
} from '../question.ts';

/** What becomes of a property that the request's schema does not name. */
type UndeclaredPropertiesAnswer = 'ignore' | 'refuse' | 'store';

const phrases = {
  ignore: 'they are ignored',
  refuse: 'the body is refused',
  store: 'they are kept and answered',
} as const;

/** The question `undeclared-properties`: what becomes of properties that the schema of the request does not declare? */
export const undeclaredProperties: Question<'undeclared-properties', UndeclaredPropertiesAnswer> = {
  id: 'undeclared-properties',
  question: 'What becomes of properties that the schema of the request does not declare?',
  scope: 'operation',
  default: 'ignore',
  representatives: ['ignore', 'refuse', 'store'],
  schema: {
    oneOf: [
      { const: 'ignore', description: 'They are taken, and forgotten.' },
      { const: 'refuse', description: 'The body is refused.' },
      { const: 'store', description: 'They are kept, and stand in the answer.' },
    ],
  },
  describe: (answer) => phrases[answer],
};

/** What is kept shows in the answer alone. */
export const undeclaredPropertiesMask: FindMask = (answers) =>
  answers.echo === 'none' && answers['undeclared-properties'] !== 'refuse'
    ? { by: 'echo', why: 'it is taken, and no answer shows what is kept' }
    : undefined;

const name = 'clocheProbe';
const text = 'undeclared';

async function ask(asker: Asker): Promise<ProbeReading<UndeclaredPropertiesAnswer>> {
  const members = asker.sample();
  if (members === undefined) return notAsked('it takes no JSON object');
  const withAnother = (each: readonly ProbeMember[]) => withMember(each, name, [JSON.stringify(text)]);
  if (!asker.isValid(writeBody(withAnother(members)))) {
    return notAsked('its document says that there are no others');
  }
  const sent = await sendUntilShown(asker, (slot) => withAnother(asker.sample(slot) ?? []));
  const { exchange } = sent;
  if (isRefused(exchange)) return { kind: 'answer', answer: 'refuse' };
  if (!exchange.isAccepted) return unsettled(`it is answered ${exchange.status}`);
  if (isJsonObject(exchange.received) && exchange.received[name] === text) {
    return { kind: 'answer', answer: 'store' };
  }
  return showsTexts(exchange, sent.members)
    ? { kind: 'answer', answer: 'ignore' }
    : { kind: 'masked', by: 'echo', why: 'it is taken, and no answer shows what is kept' };
}

/** Asks with a property that the document does not have. */
export const undeclaredPropertiesProbe: Probe<UndeclaredPropertiesAnswer> = {
  mostRequests: 4,
  needsTaken: true,
  ask,
};

/** What a document says of properties that it does not name: `additionalProperties` (JSON Schema 2020-12 core §10.3.2.3). */
export const undeclaredPropertiesSilence: QuestionSilence<UndeclaredPropertiesAnswer> = {
  silence(operation) {
    const bodies = jsonBodies(operation);
    const [first] = bodies;
    if (first === undefined) return { kind: 'not-asked', why: 'the operation takes no JSON object' };
    const { pointer } = first;
    if (bodies.every(({ schema }) => isClosed(schema?.schema ?? true))) {
      const says = 'The schema of the body says that it takes no other property';
      return { kind: 'answered', pointer, says, answer: 'refuse' };
    }
    return bodies.every(({ schema }) => isOpenByWord(schema?.schema ?? true))
      ? { kind: 'answered', pointer, says: 'The schema of the body says that it takes other properties' }
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
};
