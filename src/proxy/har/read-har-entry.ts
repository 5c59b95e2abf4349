import type { HarExchange } from './har-exchange.ts';
import { memberOf, numberOf, textOf } from './har-value.ts';
import { readHarAnswer } from './read-har-answer.ts';
import { readHarRequest } from './read-har-request.ts';

/** Scheme and authority, path and query; what is behind them is never sent (RFC 3986 §3.5). */
const form = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)([^#]*)/iu;
/** What answers in the place of the service. */
const others = {
  _fromCache: 'it was answered from a cache',
  _fetchedViaServiceWorker: 'a service worker answered it',
} as const;

function whoElseAnswered(entry: unknown): string | undefined {
  for (const [name, words] of Object.entries(others)) {
    const value = memberOf(entry, name);
    if (value !== undefined && value !== false && value !== null && value !== '') {
      return words;
    }
  }
  return undefined;
}

/**
 * Reads an entry of a HAR file, of browsers and other tools: what it does not show is not made up, but said.
 *
 * @param place - where it stands, in words
 */
export function readHarEntry(entry: unknown, place: string): HarExchange {
  const request = memberOf(entry, 'request');
  const [, authority = '', rest = ''] = form.exec(textOf(request, 'url') ?? '') ?? [];
  const target = rest.startsWith('/') ? rest : `/${rest}`;
  const sent = readHarRequest(request, target);
  const came = readHarAnswer(memberOf(entry, 'response'), sent.request.method);
  return {
    place,
    origin: URL.canParse(authority) ? originOf(authority) : authority.toLowerCase(),
    exchange: {
      request: sent.request,
      answer: came.answer,
      durationMs: Math.max(0, numberOf(entry, 'time') ?? 0),
    },
    startedAt: Date.parse(textOf(entry, 'startedDateTime') ?? '') || 0,
    unjudged: whoElseAnswered(entry) ?? came.unjudged ?? sent.unjudged,
  };
}

/** WebSockets have no origin of their own by the URL standard. */
function originOf(authority: string): string {
  const { protocol, host } = new URL(authority);
  return `${protocol}//${host}`;
}
