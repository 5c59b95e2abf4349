import { closestWord } from '../../errors/closest-word.ts';
import { shorten } from '../content/shorten.ts';
import type { RequestCriterion } from './create-request-criteria.ts';
import { describeFilter } from './describe-filter.ts';
import type { LoggedRequest } from './logged-request.ts';
import type { RawRequest } from './raw-request.ts';
import type { RequestFilter, Times, Verification } from './request-log.ts';

function count(times: number): string {
  return times === 0 ? 'never' : times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`;
}

function describeTimes(times: Times): string {
  if (typeof times === 'number') {
    return times === 0 ? 'never' : `exactly ${count(times)}`;
  }
  const { atLeast, atMost } = times;
  const words = [
    ...(atLeast === undefined ? [] : [`at least ${count(atLeast)}`]),
    ...(atMost === undefined ? [] : [atMost === 0 ? 'never' : `at most ${count(atMost)}`]),
  ];
  return words.length === 0 ? 'any number of times' : words.join(' and ');
}

function boundsOf(times: Times): readonly [least: number, most: number] {
  return typeof times === 'number' ? [times, times] : [times.atLeast ?? 0, times.atMost ?? Infinity];
}

interface Near {
  readonly raw: RawRequest;
  readonly missed: readonly RequestCriterion[];
}

/**
 * Says that there is no operation of a name: that it was never asked for verifies nothing.
 *
 * @param known - those of the contract; one that was asked for before the contract changed there was as well
 */
function explainUnknown(
  operation: string | undefined,
  { known, requests }: { readonly known: readonly string[]; readonly requests: readonly RawRequest[] },
): string | undefined {
  const isThere =
    operation === undefined ||
    known.includes(operation) ||
    requests.some(({ answer }) => answer.note.operation === operation);
  if (isThere) {
    return undefined;
  }
  const near = closestWord(operation, known);
  const hint = near === undefined ? `it has ${known.slice(0, 10).join(', ')}` : `perhaps "${near}" was meant`;
  return `The contract has no operation "${shorten(operation)}"; ${hint}.`;
}

/** Of several that are as near, the newest is what somebody has just tried. */
function findNearest(
  requests: readonly RawRequest[],
  criteria: readonly RequestCriterion[],
): Near | undefined {
  let nearest: Near | undefined;
  for (const raw of requests) {
    const missed = criteria.filter(({ fits }) => !fits(raw));
    if (
      missed.length > 0 &&
      missed.length < criteria.length &&
      missed.length <= (nearest?.missed.length ?? Infinity)
    ) {
      nearest = { raw, missed };
    }
  }
  return nearest;
}

/**
 * Looks whether requests came as often as expected, and says what came instead.
 *
 * @param input.requests - the oldest first
 * @param input.operations - the ids of those of the contract
 * @param input.read - shows a request without its secrets
 * @param input.hide - takes the secrets of a request out of a text
 */
export function verifyRequests(input: {
  readonly requests: readonly RawRequest[];
  readonly dropped: number;
  readonly filter: RequestFilter;
  readonly criteria: readonly RequestCriterion[];
  readonly times: Times;
  readonly operations: readonly string[];
  readonly read: (raw: RawRequest) => LoggedRequest;
  readonly hide: (raw: RawRequest, text: string) => string;
}): Verification {
  const { requests, dropped, filter, criteria, times } = input;
  const matching = requests.filter((raw) => criteria.every(({ fits }) => fits(raw))).length;
  const unknown = explainUnknown(filter.operation, { known: input.operations, requests });
  const [least, most] = boundsOf(times);
  const verified = unknown === undefined && matching >= least && matching <= most;
  const expected = `Expected ${describeFilter(filter)} ${describeTimes(times)}`;
  if (verified) {
    return { verified, count: matching, message: `${expected}: it came ${count(matching)}.` };
  }
  if (unknown !== undefined) {
    return { verified, count: matching, message: `${expected}. ${unknown}` };
  }
  const among = `among ${requests.length} ${requests.length === 1 ? 'request' : 'requests'}`;
  const came = `${expected}, but it came ${matching === 0 ? 'never' : count(matching)}, ${among}.`;
  const lost = dropped === 0 ? '' : ` ${dropped} older ones are not in the log any more.`;
  const near = matching < least ? findNearest(requests, criteria) : undefined;
  if (near === undefined) {
    return { verified, count: matching, message: `${came}${lost}` };
  }
  const request = input.read(near.raw);
  const differences = near.missed.map(({ describe }) => input.hide(near.raw, describe(near.raw)));
  const nearest = `The nearest is request ${request.id}, ${request.method} ${request.target}: ${differences.join(', and ')}.`;
  return {
    verified,
    count: matching,
    message: `${came}${lost} ${nearest}`,
    nearest: { request, differences },
  };
}
