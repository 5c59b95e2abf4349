import { findExactResponse } from '../../contract/responses.ts';
import { refusalOf, unsettled } from '../probing.ts';
import type {
  BehaviourValues,
  ProbeSession,
  ProbeExchange,
  ProbeResult,
  Behaviour,
  Probed,
} from '../behaviour.ts';

/** The number of concurrent requests. */
const together = 10;
const mostRequests = 250;
/** The fewest requests in a second that show that there is no limit. A run that enforces `none` sends as many. */
const fewestForNone = 100;
/** The number of requests in further trials if the first one found no limit, to see whether that changes. */
const furtherRequests = 30;
const windowMs = 1_000;
/** After this time, earlier requests are outside any window of a second. */
const restMs = 1_100;

/** The behaviour `rate-limit`: a limit on the rate of requests. */
export const rateLimit: Behaviour<'rate-limit'> = {
  id: 'rate-limit',
  question: 'Is the rate of requests limited?',
  default: 'none',
  representatives: ['none', { perSecond: 50 }],
  schema: {
    oneOf: [
      { const: 'none', description: 'Requests are not limited.' },
      {
        type: 'object',
        required: ['perSecond'],
        additionalProperties: false,
        properties: {
          perSecond: {
            type: 'integer',
            minimum: 1,
            maximum: 1_000_000,
            description: 'The requests accepted per second; further ones get 429 with Retry-After.',
          },
        },
      },
    ],
  },
  describe: (answer) =>
    answer === 'none' ? 'none' : `past ${answer.perSecond} requests a second, 429 with Retry-After`,
  statuses: [429],
  // A declared 429 (RFC 6585 §4) does not specify a number of requests.
  documentValue(operation) {
    const settledBy =
      'OpenAPI has no words for a rate; 429 would have to be declared, and x-cloche-policy say the rest';
    return findExactResponse(operation, 429) === undefined
      ? { kind: 'open', settledBy }
      : { kind: 'open', says: 'It declares 429, and not from how many requests on', settledBy };
  },
  declare({ answer }) {
    if (answer === 'none') return { additions: [], answer };
    const headers = {
      'Retry-After': {
        description: 'How many seconds to wait (RFC 9110 §10.2.3).',
        required: true,
        schema: { type: 'integer', minimum: 0 },
      },
    };
    const description = `More than ${answer.perSecond} requests came within a second.`;
    return { additions: [{ ...refusalOf(429, description), headers }], answer };
  },
  probe: { mostRequests: mostRequests + together, needsTaken: false, isOfService: true, ask },
};

/** Sends requests that change nothing, more and more within a second, until the service answers 429. */
async function ask(probeSession: ProbeSession): Probed<'rate-limit'> {
  let isFirst = false;
  const first = await probeSession.once('first burst', async () => {
    isFirst = true;
    return burst(probeSession, mostRequests, fewestForNone);
  });
  if (isFirst || first.kind !== 'answer') return first;
  return first.answer === 'none'
    ? burst(probeSession, furtherRequests, 0)
    : burst(probeSession, mostRequests, fewestForNone);
}

function isPutOff({ status }: ProbeExchange): boolean {
  return status === 429;
}

/** Sends requests until the service answers 429, for a second at most. */
async function burst(probeSession: ProbeSession, most: number, fewest: number): Probed<'rate-limit'> {
  await probeSession.rest(restMs);
  const from = probeSession.clock();
  // A request that changes nothing: an invalid one, if the operation accepts a body.
  const request = probeSession.operation.requestBody === undefined ? {} : { body: ['{'] };
  const sendRound = (): Promise<readonly ProbeExchange[]> =>
    Promise.all(Array.from({ length: together }, () => probeSession.send(request, { waits: false })));
  const exchanges: ProbeExchange[] = [];
  while (exchanges.length < most && probeSession.clock() - from < windowMs) {
    exchanges.push(...(await sendRound()));
    if (exchanges.some(isPutOff)) {
      const ms = Math.round(probeSession.clock() - from);
      const next = await sendRound();
      await probeSession.rest(restMs);
      return readLimit(exchanges, ms, next);
    }
  }
  return exchanges.length < fewest
    ? unsettled(
        `no request is put off, though no more than ${exchanges.length} requests a second could be sent`,
      )
    : { kind: 'answer', answer: 'none' };
}

/** Finds the limit from the exchanges up to the first round with a 429, and from the next round. */
function readLimit(
  exchanges: readonly ProbeExchange[],
  ms: number,
  next: readonly ProbeExchange[],
): ProbeResult<BehaviourValues['rate-limit']> {
  const perSecond = exchanges.filter((exchange) => !isPutOff(exchange)).length;
  if (ms > windowMs || perSecond === 0) {
    return unsettled(`429 came after ${perSecond} requests in ${ms} ms, which is no rate of a second`);
  }
  return next.filter(isPutOff).length * 2 < next.length
    ? unsettled(`429 came after ${perSecond} requests, and was over with those that came next`)
    : { kind: 'answer', answer: { perSecond } };
}
