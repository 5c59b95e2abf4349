import type { Asker, Probe, ProbeExchange, ProbeReading, ProbeRequest } from '../probe.ts';
import type { RateLimitAnswer } from '../rate-limit.ts';
import { unsettled } from './unsettled.ts';

/** No more than these are sent at once. */
const together = 10;
const mostRequests = 150;
/** What was sent before is out of any window of a second. */
const restMs = 1_100;

/** A request that changes nothing: one that is refused, where that can be had. */
function harmless({ operation }: Asker): ProbeRequest {
  return operation.requestBody === undefined ? {} : { body: ['{'] };
}

async function ask(asker: Asker): Promise<ProbeReading<RateLimitAnswer>> {
  await asker.rest(restMs);
  const from = asker.clock();
  const request = harmless(asker);
  const exchanges: ProbeExchange[] = [];
  const isLimited = (): boolean => exchanges.some(({ status }) => status === 429);
  while (exchanges.length < mostRequests && !isLimited()) {
    const round = Array.from({ length: together }, () => asker.send(request, { waits: false }));
    exchanges.push(...(await Promise.all(round)));
  }
  const ms = Math.round(asker.clock() - from);
  await asker.rest(isLimited() ? restMs : 0);
  if (!isLimited()) {
    return { kind: 'answer', answer: 'none' };
  }
  const perSecond = exchanges.filter(({ status }) => status !== 429).length;
  return ms > 1_000 || perSecond === 0
    ? unsettled(`429 came after ${perSecond} requests in ${ms} ms, which is no rate of a second`)
    : { kind: 'answer', answer: { perSecond } };
}

/** Asks with requests that change nothing, one after the other, until they are put off. */
export const rateLimitProbe: Probe<RateLimitAnswer> = {
  mostRequests,
  needsTaken: false,
  isOfService: true,
  ask,
};
