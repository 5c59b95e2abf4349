import type { Asker, Probe, ProbeExchange, ProbeReading, ProbeRequest } from '../probe.ts';
import type { RateLimitAnswer } from '../rate-limit.ts';
import { unsettled } from './unsettled.ts';

/** No more than these are sent at once. */
const together = 10;
const mostRequests = 250;
/** That nobody is put off is no news of a rate that was not reached; a run that is told so sends as many. */
const fewestForNone = 100;
/** Where nobody was put off at first, further trials are to show whether that changes. */
const furtherRequests = 30;
const windowMs = 1_000;
/** What was sent before is out of any window of a second. */
const restMs = 1_100;

/** A request that changes nothing: one that is refused, where that can be had. */
function harmless({ operation }: Asker): ProbeRequest {
  return operation.requestBody === undefined ? {} : { body: ['{'] };
}

function isPutOff({ status }: ProbeExchange): boolean {
  return status === 429;
}

/** Sends until it is put off, for a second at most. */
async function burst(asker: Asker, most: number, fewest: number): Promise<ProbeReading<RateLimitAnswer>> {
  await asker.rest(restMs);
  const from = asker.clock();
  const request = harmless(asker);
  const sendRound = (): Promise<readonly ProbeExchange[]> =>
    Promise.all(Array.from({ length: together }, () => asker.send(request, { waits: false })));
  const exchanges: ProbeExchange[] = [];
  while (exchanges.length < most && asker.clock() - from < windowMs) {
    exchanges.push(...(await sendRound()));
    if (exchanges.some(isPutOff)) {
      return readLimit({ asker, exchanges, ms: Math.round(asker.clock() - from), next: await sendRound() });
    }
  }
  return exchanges.length < fewest
    ? unsettled(`nobody is put off, though no more than ${exchanges.length} requests a second could be sent`)
    : { kind: 'answer', answer: 'none' };
}

/** Reads what came up to the round in which one was first put off, and the round behind it. */
async function readLimit({
  asker,
  exchanges,
  ms,
  next,
}: {
  readonly asker: Asker;
  readonly exchanges: readonly ProbeExchange[];
  readonly ms: number;
  readonly next: readonly ProbeExchange[];
}): Promise<ProbeReading<RateLimitAnswer>> {
  await asker.rest(restMs);
  const perSecond = exchanges.filter((exchange) => !isPutOff(exchange)).length;
  if (ms > windowMs || perSecond === 0) {
    return unsettled(`429 came after ${perSecond} requests in ${ms} ms, which is no rate of a second`);
  }
  return next.filter(isPutOff).length * 2 < next.length
    ? unsettled(`429 came after ${perSecond} requests, and was over with those that came next`)
    : { kind: 'answer', answer: { perSecond } };
}

async function ask(asker: Asker): Promise<ProbeReading<RateLimitAnswer>> {
  let isFirst = false;
  const first = await asker.once('first burst', async () => {
    isFirst = true;
    return burst(asker, mostRequests, fewestForNone);
  });
  if (isFirst || first.kind !== 'answer') {
    return first;
  }
  return first.answer === 'none'
    ? burst(asker, furtherRequests, 0)
    : burst(asker, mostRequests, fewestForNone);
}

/** Asks with requests that change nothing, ever more of them within a second, until they are put off. */
export const rateLimitProbe: Probe<RateLimitAnswer> = {
  mostRequests: mostRequests + together,
  needsTaken: false,
  isOfService: true,
  ask,
};
