import type { Contract } from '../../contract/contract.ts';
import { credentialFields } from '../../contract/credentials.ts';
import type { Traffic } from '../traffic.ts';
import { findSideBySide } from './find-side-by-side.ts';
import type { HarExchange } from './har-exchange.ts';
import { targetBelow } from './target-below.ts';

/**
 * Whether a recording shows the credentials of its requests: browsers leave out Authorization and cookies unless they
 * are asked not to, and do not say so.
 */
function showsCredentials(entries: readonly HarExchange[], contract: Contract): boolean {
  const { fields, parameters } = credentialFields(contract);
  return entries.some(({ exchange: { request } }) => {
    const query = new URLSearchParams(request.target.split('?')[1] ?? '');
    return (
      request.headers.some(([name]) => fields.has(name.toLowerCase())) ||
      [...query.keys()].some((name) => parameters.has(name.toLowerCase()))
    );
  });
}

/**
 * Makes traffic of the entries of recordings, in the order in which they began.
 *
 * @param input.baseUrl - the service that is judged; what went elsewhere cannot be
 */
export function toTraffic(input: {
  readonly entries: readonly HarExchange[];
  readonly baseUrl: string;
  readonly contract: Contract;
}): readonly Traffic[] {
  const { baseUrl, contract } = input;
  const entries = input.entries.toSorted((left, right) => left.startedAt - right.startedAt);
  const own = entries.filter((entry) => targetBelow(baseUrl, entry) !== undefined);
  const sideBySide = findSideBySide(own, { baseUrl, contract });
  const mayHideCredentials = !showsCredentials(own, contract);
  return entries.map((entry, index) => {
    const { place, exchange, startedAt } = entry;
    const target = targetBelow(baseUrl, entry);
    const { request } = exchange;
    return {
      number: index + 1,
      place,
      exchange: { ...exchange, request: { ...request, target: target ?? request.target } },
      startedAt,
      isSideBySide: sideBySide.has(entry),
      mayHideCredentials,
      unjudged: target === undefined ? `it is not below ${baseUrl}` : entry.unjudged,
    };
  });
}
