import { declaresExactly, findDeclaredSuccess } from '../../contract/responses.ts';
import { matchesMediaRange } from '../../http/media-type.ts';
import { notAsked, readStatus, refusalOf, unsettled } from '../probing.ts';
import { type ProbeSession, choices, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `accept`: the response to an Accept that cannot be satisfied. */
export const accept: Behaviour<'accept'> = {
  id: 'accept',
  question: 'What happens with an Accept that cannot be satisfied?',
  ...choices<'accept'>([
    // RFC 9110 §12.5.1 allows it.
    ['ignore', 'the declared media type is sent anyway', 'The declared media type is sent anyway.'],
    [406, '406', '406 Not Acceptable.'],
  ]),
  statuses: [406],
  // A declared 406 is for this (RFC 9110 §15.5.7).
  isDecidedByOpenApi: true,
  documentValue: (operation) =>
    (findDeclaredSuccess(operation)?.media ?? []).length === 0
      ? notAsked('its success has no content')
      : readStatus(operation, { status: 406, answer: 406, open: 'The operation would have to declare 406' }),
  declare: ({ answer }) => ({
    additions: answer === 406 ? [refusalOf(406, 'Its Accept cannot be met.')] : [],
    answer,
  }),
  probe: { mostRequests: 1, needsTaken: true, ask },
};

const types = ['text/html', 'image/png', 'application/x-cloche'];

/** Requests a media type that is not declared. */
async function ask({ operation, send }: ProbeSession): Probed<'accept'> {
  const ranges = operation.responses.flatMap(({ media }) => media.map(({ range }) => range));
  const type = types.find((each) => ranges.every((range) => !matchesMediaRange(each, range)));
  if (type === undefined || ranges.length === 0 || declaresExactly(operation, 406)) {
    return notAsked('its answers have no content, or the document declares 406');
  }
  const { status, isAccepted } = await send({ accept: type });
  if (status === 406) return { kind: 'answer', answer: 406 };
  return isAccepted
    ? { kind: 'answer', answer: 'ignore' }
    : unsettled(`Accept: ${type} is answered ${status}, which is none of the answers`);
}
