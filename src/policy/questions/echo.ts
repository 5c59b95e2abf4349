import { findDeclaredResponse } from '../../contract/responses.ts';
import { isJsonObject, jsonEqual } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { notAsked, noWords, plainRefused, sendUntilShown } from '../probing.ts';
import type { Asker, Probe, ProbeExchange, ProbeReading, Question, QuestionSilence } from '../question.ts';

/** Whether the answer to a create can be held against what was sent. */
type EchoAnswer = 'exact' | 'none';

const phrases = {
  exact: 'a create answers with exactly what was sent',
  none: 'a create need not answer with what was sent',
} as const;

/** The question `echo`: does a create answer with exactly what was sent? */
export const echo: Question<'echo', EchoAnswer> = {
  id: 'echo',
  question: 'Does a create answer with exactly what was sent?',
  scope: 'operation',
  default: 'exact',
  representatives: ['exact', 'none'],
  schema: {
    oneOf: [
      { const: 'exact', description: 'A create answers with exactly what was sent.' },
      { const: 'none', description: 'What a create answers cannot be held against what was sent.' },
    ],
  },
  describe: (answer) => phrases[answer],
};

/** The names that the schema of an answer declares. */
function declaredNames({ operation }: Asker, { status }: ProbeExchange): readonly string[] {
  const media = findDeclaredResponse(operation.responses, status)?.media.find(({ isJson }) => isJson);
  return [...schemaProperties(media?.schema?.schema).keys()];
}

async function ask(asker: Asker): Promise<ProbeReading<EchoAnswer>> {
  if (asker.operation.kind.kind !== 'create' || asker.sample() === undefined) {
    return notAsked('it creates nothing from a JSON object');
  }
  const { exchange: created } = await sendUntilShown(asker, (slot) => asker.sample(slot) ?? []);
  if (!created.isAccepted) return plainRefused(created);
  const { sent, received } = created;
  const names = declaredNames(asker, created).filter(
    (name) => isJsonObject(sent) && Object.hasOwn(sent, name),
  );
  if (!isJsonObject(sent) || names.length === 0) {
    return notAsked('its answer declares nothing of what is sent');
  }
  const isExact =
    isJsonObject(received) &&
    names.every((name) => {
      const here = Object.hasOwn(received, name) ? received[name] : undefined;
      const there = sent[name];
      return here !== undefined && there !== undefined && jsonEqual(here, there);
    });
  return { kind: 'answer', answer: isExact ? 'exact' : 'none' };
}

/** Asks with a create, and holds the answer against what was sent. */
export const echoProbe: Probe<EchoAnswer> = { mostRequests: 4, needsTaken: true, ask };

/** What a document says of whether a create answers with what was sent: nothing that a program could read. */
export const echoSilence: QuestionSilence<EchoAnswer> = {
  silence: ({ kind }) =>
    kind.kind === 'create'
      ? { kind: 'open', settledBy: noWords }
      : { kind: 'not-asked', why: 'the operation creates nothing' },
};
