import { findExactResponse } from '../../contract/responses.ts';
import { findLimit } from '../find-limit.ts';
import { notAsked, plainRefused, refusalOf, unsettled, writeBody } from '../probing.ts';
import type {
  BehaviourValues,
  ProbeSession,
  ProbeExchange,
  ProbePiece,
  Behaviour,
  Probed,
} from '../behaviour.ts';

/** The maximum nesting depth of arrays and objects in a body. Code that reads and checks them is recursive. */
export const mostLevels = 512;

/** The behaviour `body-limit`: the maximum size of a body. */
export const bodyLimit: Behaviour<'body-limit'> = {
  id: 'body-limit',
  question: 'How large may a body be?',
  default: { bytes: 10_485_760, status: 400 },
  representatives: [
    { bytes: 10_485_760, status: 400 },
    { bytes: 65_536, status: 413 },
  ],
  schema: {
    type: 'object',
    required: ['bytes', 'status'],
    additionalProperties: false,
    properties: {
      bytes: {
        type: 'integer',
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The maximum size of a body in bytes.',
      },
      status: { type: 'integer', minimum: 400, maximum: 499, description: 'The status for larger bodies.' },
      levels: {
        type: 'integer',
        minimum: 1,
        maximum: mostLevels,
        default: mostLevels,
        description: 'How many arrays and objects may stand in each other; deeper bodies are refused.',
      },
    },
    examples: [{ bytes: 1_048_576, status: 413 }],
  },
  describe: ({ bytes, status, levels = mostLevels }) =>
    `up to ${bytes.toLocaleString('en')} bytes are read; past them, ${status}${levels === mostLevels ? '' : `; and up to ${levels} levels of arrays and objects`}`,
  statuses: [413],
  // A declared 413 does not specify a number of bytes.
  documentValue(operation) {
    if (operation.requestBody === undefined) return notAsked('the operation takes no body');
    const settledBy =
      'OpenAPI has no words for a number of bytes; 413 would have to be declared, and x-cloche-policy say the rest';
    return findExactResponse(operation, 413) === undefined
      ? { kind: 'open', settledBy }
      : { kind: 'open', says: 'It declares 413, and not from how many bytes on', settledBy };
  },
  declare({ answer }) {
    const { bytes, status } = answer;
    const description = `Its body has more than ${bytes.toLocaleString('en-US')} bytes.`;
    return { additions: status === 400 ? [] : [refusalOf(status, description)], answer };
  },
  probe: { mostRequests: 40, needsTaken: true, ask },
};

/** The default limit of a body that the mock does not parse, like a picture, in bytes. */
const mostUnparsed = 16_777_216;

/**
 * Returns the limit of a body that is neither JSON nor a form, in bytes. A limit in a policy or a document applies to
 * every body. The default limit, recognized by its identity, applies only to bodies that the mock parses.
 */
export function unparsedLimit(answer: BehaviourValues['body-limit']): number {
  return answer === bodyLimit.default ? mostUnparsed : answer.bytes;
}

/** The maximum length of the bodies of a probe, in bytes, to avoid costs for traffic. Higher limits stay undetermined. */
export const longestProbe = 2_200_000;

/** Sends valid bodies with white space that makes them long. */
async function ask(probeSession: ProbeSession): Probed<'body-limit'> {
  const send = createSender(probeSession);
  if (send === undefined) return notAsked('it takes no JSON object');
  const plain = await send(0);
  if (!plain.isAccepted) return plainRefused(plain);
  const bytes = await probeSession.once('limit', () => find(send, plain.sentBytes));
  if (bytes === undefined) {
    const { isAccepted, sentBytes } = await send(longestProbe);
    return unsettled(
      isAccepted ? `a body of ${sentBytes} bytes is accepted, and longer ones are not sent` : 'it changes',
    );
  }
  const within = await send(bytes);
  const past = await send(bytes + 1);
  const status = readStatus(past);
  if (!within.isAccepted || past.isAccepted || status === undefined) {
    const seen = `${bytes} bytes are answered ${within.status}, and one more ${past.status}`;
    return unsettled(`${seen}, which is none of the answers`);
  }
  return { kind: 'answer', answer: { bytes, status } };
}

async function find(send: SendLong, shortest: number): Promise<number | undefined> {
  const bracket = { accepted: BigInt(shortest), refused: BigInt(longestProbe) };
  const found = await findLimit(bracket, async (bytes) => {
    const isAccepted = bytes === bracket.accepted || (await send(Number(bytes))).isAccepted;
    return isAccepted ? 'accepted' : 'refused';
  });
  return found && Number(found.accepted);
}

/** Sends a valid body with a new id, padded with white space to a length. */
type SendLong = (bytes: number) => Promise<ProbeExchange>;

function createSender(probeSession: ProbeSession): SendLong | undefined {
  if (probeSession.sample() === undefined) return undefined;
  let slot = 0;
  let own = 0;
  const write = (): readonly ProbePiece[] => writeBody(probeSession.sample(slot) ?? []);
  return async (bytes) => {
    slot += 1;
    const padding = ' '.repeat(Math.max(0, bytes - own));
    const exchange = await probeSession.send({ body: [...write(), padding] });
    if (bytes === 0) {
      own = exchange.sentBytes;
    }
    if (exchange.sentBytes === bytes || bytes === 0) return exchange;
    // Bodies differ in length because of their ids. The last exchange shows the length of one.
    own += exchange.sentBytes - bytes;
    slot += 1;
    return probeSession.send({ body: [...write(), ' '.repeat(Math.max(0, bytes - own))] });
  };
}

function readStatus({ status }: ProbeExchange): BehaviourValues['body-limit']['status'] | undefined {
  if (status === 413) return 413;
  return status === 400 || status === 422 ? 400 : undefined;
}
