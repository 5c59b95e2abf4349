import type { Contract } from '../../contract/contract.ts';
import { createCredentialReplacement, credentialNames } from '../../contract/credentials.ts';
import { createRouter, listServerUrls } from '../../contract/router.ts';
import { type Exchange, type HeaderList, isSafeMethod } from '../../http/message.ts';
import { pathPrefix } from '../../http/path.ts';
import { redacted } from '../../http/redact.ts';
import type { Traffic } from '../traffic.ts';
import type { HarExchange } from './read-har.ts';

/** The service of the document among those in a recording, and how it was found. */
interface FoundService {
  readonly baseUrl: string;
  /** The number of entries for operations of the document below the base URL. */
  readonly matches: number;
  readonly by: 'servers' | 'paths';
}

/** Maximum length of the path of a base URL: a recording may have a path of nothing but slashes. */
const longestPrefix = 1_000;

const nowhere = 'http://nowhere.invalid';

/** Returns the absolute URLs of a document's servers, without slashes at their ends. */
function listServers(contract: Contract): ReadonlySet<string> {
  const texts = listServerUrls(contract).filter((url) => URL.canParse(url, nowhere));
  const urls = texts.map((url) => new URL(url, nowhere)).filter(({ origin }) => origin !== nowhere);
  return new Set(urls.map((url) => `${url.origin}${pathPrefix(url)}`));
}

/**
 * Finds the service of a document in a recording: a server that the document names, or else the base URL with the most
 * entries for its operations, the shortest of several. Returns undefined if no entry is for any of its operations.
 */
export function findService(contract: Contract, entries: readonly HarExchange[]): FoundService | undefined {
  const route = createRouter(contract);
  const servers = listServers(contract);
  const counts = new Map<string, number>();
  const ofHttp = entries.filter(({ origin }) => /^https?:/u.test(origin) && URL.canParse(origin));
  for (const { origin, exchange } of ofHttp) {
    const { method, target } = exchange.request;
    const path = target.split('?', 1)[0] ?? '';
    // The paths of the document may follow no segment, or any number of the first segments.
    for (const { index } of path.slice(0, longestPrefix).matchAll(/\//gu)) {
      const prefix = path.slice(0, index);
      if (route(path.slice(index))?.operations.has(method) === true) {
        const baseUrl = `${origin}${prefix}`;
        counts.set(baseUrl, (counts.get(baseUrl) ?? 0) + 1);
      }
    }
  }
  const found = [...counts]
    .map(([baseUrl, matches]) => ({
      baseUrl,
      matches,
      by: servers.has(baseUrl) ? ('servers' as const) : ('paths' as const),
    }))
    .toSorted((left, right) => right.matches - left.matches || left.baseUrl.length - right.baseUrl.length);
  return found.find(({ by }) => by === 'servers') ?? found[0];
}

/** Returns the target of an entry with a path of the document; undefined if it is not below the base URL. */
export function targetBelow(baseUrl: string, { origin, exchange }: HarExchange): string | undefined {
  const base = new URL(baseUrl);
  const prefix = pathPrefix(base);
  const { target } = exchange.request;
  if (origin !== base.origin || !target.startsWith(prefix)) return undefined;
  const rest = target.slice(prefix.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}

/** Finds entries that overlap in time with a change. They must be in the order of their start times. */
function findBesideChanges(entries: readonly HarExchange[]): ReadonlySet<HarExchange> {
  // An entry without a duration may have taken any time.
  const found = new Set(entries.filter(({ exchange }) => exchange.durationMs === 0));
  const endOf = ({ startedAt, exchange }: HarExchange): number => startedAt + exchange.durationMs;
  const isChange = ({ exchange }: HarExchange): boolean => !isSafeMethod(exchange.request.method);
  let ended = { any: -Infinity, change: -Infinity };
  for (const entry of entries) {
    if (entry.startedAt <= (isChange(entry) ? ended.any : ended.change)) found.add(entry);
    const end = endOf(entry);
    ended = {
      any: Math.max(ended.any, end),
      change: isChange(entry) ? Math.max(ended.change, end) : ended.change,
    };
  }
  let begun = { any: Infinity, change: Infinity };
  for (const entry of entries.toReversed()) {
    if ((isChange(entry) ? begun.any : begun.change) <= endOf(entry)) found.add(entry);
    begun = { any: entry.startedAt, change: isChange(entry) ? entry.startedAt : begun.change };
  }
  return found;
}

/**
 * Returns whether a recording shows the credentials of its requests. Browsers leave out Authorization and cookies by
 * default, and do not mention it.
 */
function showsCredentials(entries: readonly HarExchange[], contract: Contract): boolean {
  const { isField, isMember } = credentialNames(contract);
  return entries.some(({ exchange: { request } }) => {
    const members = [...new URLSearchParams(request.target.split('?')[1] ?? '').keys()];
    const names = new Set(members.map((name) => name.toLowerCase()));
    return request.headers.some(([name]) => isField(name)) || members.some((name) => isMember(name, names));
  });
}

/** Fields that may contain a short secret by chance, and that are not judged in a recording. */
const numeric = new Set(['date', 'content-length']);

/**
 * Creates a function that returns why an exchange cannot be judged if a report of Cloche removed secrets from it
 * outside the places of credentials: the removed text is unknown and may have been valid.
 */
function createSecretNoticer(contract: Contract): (exchange: Exchange) => string | undefined {
  const credentials = createCredentialReplacement(contract);
  const without = (headers: HeaderList): readonly string[] =>
    credentials
      .headers(headers, () => '')
      .flatMap(([name, value]) => (numeric.has(name.toLowerCase()) ? [] : [value]));
  const isIn = (body: Uint8Array | undefined): boolean =>
    body !== undefined && Buffer.from(body).includes(redacted);
  return ({ request, answer }) => {
    const { target, headers, body } = request;
    const texts = [credentials.target(target, () => ''), ...without(headers)];
    const came = answer.kind === 'response' ? answer.response : { headers: [], body: undefined };
    const isLost =
      [...texts, ...without(came.headers)].some((text) => text.includes(redacted)) ||
      isIn(body) ||
      isIn(came.body);
    return isLost ? 'secrets are left out of it in the file' : undefined;
  };
}

/** Converts the entries of recordings to traffic, by start time; those of one base URL can be judged. */
export function toTraffic(input: {
  readonly entries: readonly HarExchange[];
  readonly baseUrl: string;
  readonly contract: Contract;
}): readonly Traffic[] {
  const { baseUrl, contract } = input;
  const entries = input.entries.toSorted((left, right) => left.startedAt - right.startedAt);
  const own = entries.filter((entry) => targetBelow(baseUrl, entry) !== undefined);
  const besideChanges = findBesideChanges(own);
  const mayHideCredentials = !showsCredentials(own, contract);
  const whyIncomplete = createSecretNoticer(contract);
  return entries.map((entry, index) => {
    const { place, exchange, startedAt } = entry;
    const target = targetBelow(baseUrl, entry);
    const { request } = exchange;
    return {
      number: index + 1,
      place,
      exchange: { ...exchange, request: { ...request, target: target ?? request.target } },
      startedAt,
      isBesideChange: besideChanges.has(entry),
      mayHideCredentials,
      unjudged:
        target === undefined ? `it is not below ${baseUrl}` : (entry.unjudged ?? whyIncomplete(exchange)),
    };
  });
}
