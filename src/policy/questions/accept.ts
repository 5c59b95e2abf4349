import { findDeclaredSuccess, findExactResponse } from '../../contract/responses.ts';
import { matchesMediaRange } from '../../http/media-type.ts';
import { declaresStatus, notAsked, unsettled } from '../probing.ts';
import type { Asker, Probe, ProbeReading, Question, QuestionSilence } from '../question.ts';

/** What becomes of a request whose Accept rules the declared media types out. */
type AcceptAnswer =
  /** The declared media type is sent all the same (RFC 9110 §12.5.1 allows it). */
  | 'ignore'
  /** 406 */
  | 406;

const phrases = {
  ignore: 'the declared media type is sent all the same',
  406: '406',
} as const;

/** The question `accept`: what becomes of an Accept that cannot be met? */
export const accept: Question<'accept', AcceptAnswer> = {
  id: 'accept',
  question: 'What becomes of an Accept that cannot be met?',
  scope: 'operation',
  default: 'ignore',
  representatives: ['ignore', 406],
  schema: {
    oneOf: [
      { const: 'ignore', description: 'The declared media type is sent all the same.' },
      { const: 406, description: '406 Not Acceptable.' },
    ],
  },
  describe: (answer) => phrases[answer],
};

const types = ['text/html', 'image/png', 'application/x-cloche'];

async function ask(asker: Asker): Promise<ProbeReading<AcceptAnswer>> {
  const { operation } = asker;
  const ranges = operation.responses.flatMap(({ media }) => media.map(({ range }) => range));
  const accept = types.find((type) => ranges.every((range) => !matchesMediaRange(type, range)));
  if (accept === undefined || ranges.length === 0 || declaresStatus(operation, 406)) {
    return notAsked('its answers have no content, or the document declares 406');
  }
  const exchange = await asker.send({ accept });
  if (exchange.status === 406) return { kind: 'answer', answer: 406 };
  return exchange.isAccepted
    ? { kind: 'answer', answer: 'ignore' }
    : unsettled(`Accept: ${accept} is answered ${exchange.status}, which is none of the answers`);
}

/** Asks for an answer in a media type that is not declared. */
export const acceptProbe: Probe<AcceptAnswer> = { mostRequests: 1, needsTaken: true, ask };

/** What a document says of an Accept that cannot be met: a 406 that it declares is for that (RFC 9110 §15.5.7). */
export const acceptSilence: QuestionSilence<AcceptAnswer> = {
  silence(operation) {
    if ((findDeclaredSuccess(operation)?.media ?? []).length === 0) {
      return { kind: 'not-asked', why: 'its success has no content' };
    }
    const declared = findExactResponse(operation, 406);
    return declared === undefined
      ? { kind: 'open', settledBy: 'The operation would have to declare 406' }
      : { kind: 'answered', pointer: declared.pointer, says: 'It declares 406', answer: 406 };
  },
  declare: ({ answer }) => ({
    additions:
      answer === 406
        ? [{ kind: 'response', status: 406, description: 'Its Accept cannot be met.', body: 'error' }]
        : [],
    answer,
  }),
};
