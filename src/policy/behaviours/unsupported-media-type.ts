import { declaresExactly } from '../../contract/responses.ts';
import { matchesMediaRange } from '../../http/media-type.ts';
import { notAsked, readStatus, refusalOf, unsettled, writeBody } from '../probing.ts';
import {
  type BehaviourValues,
  type ProbeSession,
  choices,
  type ProbeExchange,
  type Behaviour,
  type Probed,
} from '../behaviour.ts';

/** The behaviour `unsupported-media-type`: the response to a body in another media type. */
export const unsupportedMediaType: Behaviour<'unsupported-media-type'> = {
  id: 'unsupported-media-type',
  question: 'What happens to a body of another media type?',
  ...choices<'unsupported-media-type'>([
    [400, '400 with an error body', '400 with an error body.'],
    [415, '415', '415.'],
    ['read', 'it is read as if it had the declared type', 'It is read as the declared type.'],
  ]),
  statuses: [415],
  // A declared 415 is for this (RFC 9110 §15.5.16).
  isDecidedByOpenApi: true,
  documentValue(operation) {
    const { media } = operation.requestBody ?? { media: [] };
    if (media.length === 0) return notAsked('the operation takes no body');
    if (media.some(({ range }) => range.startsWith('*/*'))) return notAsked('it takes every media type');
    const open = 'The operation would have to declare 415';
    return readStatus(operation, { status: 415, answer: 415, open });
  },
  declare: ({ answer }) => ({
    additions: answer === 415 ? [refusalOf(415, 'Its media type is not accepted.')] : [],
    answer,
  }),
  probe: { mostRequests: 5, needsTaken: true, ask },
};

const types = ['text/plain', 'application/x-yaml', 'application/octet-stream', 'application/vnd.cloche+json'];

function readAnswer(
  { operation }: ProbeSession,
  { status, isAccepted }: ProbeExchange,
): BehaviourValues['unsupported-media-type'] | undefined {
  if (isAccepted) return 'read';
  if (status === 400 || status === 415) return status;
  // If 400 is not declared, 422 means the same.
  return status === 422 && declaresExactly(operation, 422) && !declaresExactly(operation, 400)
    ? 400
    : undefined;
}

/**
 * Sends a valid body with undeclared media types, and without one. Frameworks can read some media types, and reject
 * others.
 */
async function ask(probeSession: ProbeSession): Probed<'unsupported-media-type'> {
  const ranges = probeSession.operation.requestBody?.media.map(({ range }) => range) ?? [];
  const others = types.filter((type) => ranges.every((range) => !matchesMediaRange(type, range)));
  if (probeSession.sample() === undefined || others.length === 0) {
    return notAsked('it takes no JSON object, or any media type');
  }
  const seen: { readonly name: string; readonly status: number; readonly answer: unknown }[] = [];
  let answer: BehaviourValues['unsupported-media-type'] | undefined;
  for (const contentType of [...others, undefined]) {
    const exchange = await probeSession.send({
      body: writeBody(probeSession.sample(seen.length) ?? []),
      contentType,
    });
    const name = contentType ?? 'a body without a media type';
    answer = readAnswer(probeSession, exchange);
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
