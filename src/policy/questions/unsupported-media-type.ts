import { findExactResponse } from '../../contract/responses.ts';
import { matchesMediaRange } from '../../http/media-type.ts';
import { declaresStatus, notAsked, unsettled, writeBody } from '../probing.ts';
import type { Asker, Probe, ProbeExchange, ProbeReading, Question, QuestionSilence } from '../question.ts';

/** What becomes of a body whose media type the document does not declare. */
type UnsupportedMediaTypeAnswer =
  /** 400 with an error body. */
  | 400
  /** 415 */
  | 415
  /** It is read as if it had the declared type. */
  | 'read';

const phrases = {
  400: '400 with an error body',
  415: '415',
  read: 'it is read as if it had the declared type',
} as const;

/** The question `unsupported-media-type`: what becomes of a body in another media type? */
export const unsupportedMediaType: Question<'unsupported-media-type', UnsupportedMediaTypeAnswer> = {
  id: 'unsupported-media-type',
  question: 'What becomes of a body in another media type?',
  scope: 'operation',
  default: 400,
  representatives: [400, 415, 'read'],
  schema: {
    oneOf: [
      { const: 400, description: '400 with an error body.' },
      { const: 415, description: '415.' },
      { const: 'read', description: 'It is read as if it had the declared type.' },
    ],
  },
  describe: (answer) => phrases[answer],
};

const types = ['text/plain', 'application/x-yaml', 'application/octet-stream', 'application/vnd.cloche+json'];

function readAnswer(
  { operation }: Asker,
  { status, isAccepted }: ProbeExchange,
): UnsupportedMediaTypeAnswer | undefined {
  if (isAccepted) return 'read';
  if (status === 400 || status === 415) return status;
  // Where 400 is not declared, 422 is what says the same.
  return status === 422 && declaresStatus(operation, 422) && !declaresStatus(operation, 400)
    ? 400
    : undefined;
}

async function ask(asker: Asker): Promise<ProbeReading<UnsupportedMediaTypeAnswer>> {
  const ranges = asker.operation.requestBody?.media.map(({ range }) => range) ?? [];
  const others = types.filter((type) => ranges.every((range) => !matchesMediaRange(type, range)));
  if (asker.sample() === undefined || others.length === 0) {
    return notAsked('it takes no JSON object, or any media type');
  }
  const seen: { readonly name: string; readonly status: number; readonly answer: unknown }[] = [];
  let answer: UnsupportedMediaTypeAnswer | undefined;
  for (const contentType of [...others, undefined]) {
    const exchange = await asker.send({ body: writeBody(asker.sample(seen.length) ?? []), contentType });
    const name = contentType ?? 'a body without a media type';
    answer = readAnswer(asker, exchange);
    if (answer === undefined) {
      return unsettled(`${name} is answered ${exchange.status}, which is none of the answers`);
    }
    const [first] = seen;
    if (first !== undefined && first.answer !== answer) {
      return unsettled(
        `${first.name} is answered ${first.status}, and ${name} ${exchange.status}: it is no one answer`,
      );
    }
    seen.push({ name, status: exchange.status, answer });
  }
  return answer === undefined ? unsettled('it was not asked') : { kind: 'answer', answer };
}

/**
 * Asks with a valid body under media types that are not declared, and under none: frameworks have readers for some, and
 * turn others away.
 */
export const unsupportedMediaTypeProbe: Probe<UnsupportedMediaTypeAnswer> = {
  mostRequests: 5,
  needsTaken: true,
  ask,
};

/** What a document says of another media type: a 415 that it declares is for that (RFC 9110 §15.5.16). */
export const unsupportedMediaTypeSilence: QuestionSilence<UnsupportedMediaTypeAnswer> = {
  silence(operation) {
    const { requestBody } = operation;
    if (requestBody === undefined || requestBody.media.length === 0) {
      return { kind: 'not-asked', why: 'the operation takes no body' };
    }
    if (requestBody.media.some(({ range }) => range.startsWith('*/*'))) {
      return { kind: 'not-asked', why: 'it takes every media type' };
    }
    const declared = findExactResponse(operation, 415);
    return declared === undefined
      ? { kind: 'open', settledBy: 'The operation would have to declare 415' }
      : { kind: 'answered', pointer: declared.pointer, says: 'It declares 415', answer: 415 };
  },
  declare: ({ answer }) => ({
    additions:
      answer === 415
        ? [{ kind: 'response', status: 415, description: 'Its media type is not taken.', body: 'error' }]
        : [],
    answer,
  }),
};
