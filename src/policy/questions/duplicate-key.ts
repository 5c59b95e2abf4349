import type { Operation } from '../../contract/contract.ts';
import { findExactResponse } from '../../contract/responses.ts';
import {
  clientKey,
  declaresStatus,
  notAsked,
  plainRefused,
  sendUntilShown,
  showsTexts,
  unsettled,
  writeBody,
} from '../probing.ts';
import type { Asker, Probe, ProbeReading, Question, QuestionSilence } from '../question.ts';

/** What becomes of a create whose key is taken. */
export type DuplicateKeyAnswer =
  /** 400 with an error body, where the document declares 400. */
  | 'refuse'
  /** 409 */
  | 'conflict'
  /** 422 */
  | 'unprocessable'
  /** The new resource takes the place of the old one. */
  | 'replace'
  /** The stored resource is the answer. */
  | 'keep-first'
  /** Both are kept. */
  | 'accept';

const phrases = {
  refuse: '400 with an error body',
  conflict: '409 with an error body',
  unprocessable: '422 with an error body',
  replace: 'the new one takes the place of the old one',
  'keep-first': 'the stored one is answered, and stays',
  accept: 'both are kept',
} as const;

/** The question `duplicate-key`: what happens when the key exists already? */
export const duplicateKey: Question<'duplicate-key', DuplicateKeyAnswer> = {
  id: 'duplicate-key',
  question: 'What happens when the key exists already?',
  scope: 'operation',
  default: 'refuse',
  representatives: ['refuse', 'conflict', 'replace', 'accept'],
  schema: {
    oneOf: [
      { const: 'refuse', description: '400 with an error body, where the document declares 400.' },
      { const: 'conflict', description: '409.' },
      { const: 'unprocessable', description: '422.' },
      { const: 'replace', description: 'The new resource takes the place of the old one.' },
      { const: 'keep-first', description: 'The stored resource is the answer, and stays as it is.' },
      { const: 'accept', description: 'Both are kept.' },
    ],
  },
  describe: (answer) => phrases[answer],
};

/** The statuses of refusals, as the document declares them. */
function refusals(operation: Operation): readonly (readonly [DuplicateKeyAnswer, number])[] {
  const first = (...statuses: readonly number[]): number | undefined =>
    statuses.find((status) => declaresStatus(operation, status));
  return [
    ['refuse', first(409, 422, 400) ?? 400],
    ['conflict', 409],
    ['unprocessable', first(409, 422) ?? 422],
  ];
}

async function ask(asker: Asker): Promise<ProbeReading<DuplicateKeyAnswer>> {
  if (asker.key === undefined || asker.sample() === undefined) return notAsked('its client sends no key');
  const {
    exchange: created,
    members,
    slot,
  } = await sendUntilShown(asker, (each) => asker.sample(each) ?? []);
  if (!created.isAccepted) return plainRefused(created);
  const others = asker.sample(slot) ?? [];
  const repeated = await asker.send({ body: writeBody(others) });
  if (!repeated.isAccepted) {
    const [answer, ...alike] = refusals(asker.operation).flatMap(([each, status]) =>
      status === repeated.status ? [each] : [],
    );
    return answer === undefined
      ? unsettled(`a repeated key is answered ${repeated.status}, which is none of the answers`)
      : { kind: 'answer', answer, alike };
  }
  if (!showsTexts(created, members) && asker.settled('echo') === 'exact') {
    return unsettled('a plain create is answered with another resource');
  }
  if (!showsTexts(created, members)) {
    // That it is taken shows; which resource is kept does not.
    return { kind: 'answer', answer: 'accept', alike: ['replace', 'keep-first'] };
  }
  if (showsTexts(repeated, members)) return { kind: 'answer', answer: 'keep-first' };
  return showsTexts(repeated, others)
    ? { kind: 'answer', answer: 'replace', alike: ['accept'] }
    : unsettled('a repeated key is taken, and the answer shows neither of the two resources');
}

/** Asks with two creates of one key, which differ in everything else. */
export const duplicateKeyProbe: Probe<DuplicateKeyAnswer> = { mostRequests: 5, needsTaken: true, ask };

const statuses: Readonly<Partial<Record<DuplicateKeyAnswer, number>>> = { conflict: 409, unprocessable: 422 };

/** What a document says of a key that is taken: a 409 that it declares is for that (RFC 9110 §15.5.10). */
export const duplicateKeySilence: QuestionSilence<DuplicateKeyAnswer> = {
  silence(operation) {
    const key = clientKey(operation);
    if (key === undefined) return { kind: 'not-asked', why: 'no client chooses a key' };
    const declared = findExactResponse(operation, 409);
    return declared === undefined
      ? {
          kind: 'open',
          settledBy: `The operation would have to declare 409, for when "${key}" is taken`,
        }
      : { kind: 'answered', pointer: declared.pointer, says: 'It declares 409', answer: 'conflict' };
  },
  declare({ answer, operation }) {
    const status = statuses[answer];
    const description = `Its "${clientKey(operation) ?? 'key'}" is taken.`;
    return {
      additions: status === undefined ? [] : [{ kind: 'response', status, description, body: 'error' }],
      answer,
    };
  },
};
