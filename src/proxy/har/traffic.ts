import { readBody } from '../../check/reading/body.ts';
import { readKey } from '../../check/reading/request.ts';
import type { Contract } from '../../contract/contract.ts';
import { createCredentialReplacement, credentialNames } from '../../contract/credentials.ts';
import { createPathFinder, createRouter, listServerUrls } from '../../contract/router.ts';
import { type Exchange, type HeaderList, isSafeMethod } from '../../http/message.ts';
import { pathPrefix } from '../../http/path.ts';
import { redacted } from '../../http/redact.ts';
import { numberKey } from '../../json/exact-number.ts';
import type { Traffic } from '../traffic.ts';
import type { HarExchange } from './read-har.ts';

/** Which of the services that a recording talks to is the one of the document, and how it was found. */
interface FoundService {
  readonly baseUrl: string;
  /** How many entries are to operations of the document below it. */
  readonly matches: number;
  readonly by: 'servers' | 'paths';
}

/** Of a base URL, in characters: whoever wrote a recording may have made a path of nothing but slashes. */
const longestPrefix = 1_000;

const nowhere = 'http://nowhere.invalid';

/** The absolute URLs of a document's servers, without slashes at their ends. */
function listServers(contract: Contract): ReadonlySet<string> {
  const texts = listServerUrls(contract).filter((url) => URL.canParse(url, nowhere));
  const urls = texts.map((url) => new URL(url, nowhere)).filter(({ origin }) => origin !== nowhere);
  return new Set(urls.map((url) => `${url.origin}${pathPrefix(url)}`));
}

/**
 * Finds the service of a document in a recording: a server that the document names, or else the base URL below which
 * most entries are to its operations, the shortest of several; undefined where no entry is to any of its operations.
 */
export function findService(contract: Contract, entries: readonly HarExchange[]): FoundService | undefined {
  const route = createRouter(contract);
  const servers = listServers(contract);
  const counts = new Map<string, number>();
  const ofHttp = entries.filter(({ origin }) => /^https?:/u.test(origin) && URL.canParse(origin));
  for (const { origin, exchange } of ofHttp) {
    const { method, target } = exchange.request;
    const path = target.split('?', 1)[0] ?? '';
    // Before the document's own paths there may be nothing, or any of the first segments.
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

/** The target of an entry as the document has its paths; undefined where it is not below the base URL. */
function targetBelow(baseUrl: string, { origin, exchange }: HarExchange): string | undefined {
  const base = new URL(baseUrl);
  const prefix = pathPrefix(base);
  const { target } = exchange.request;
  if (origin !== base.origin || !target.startsWith(prefix)) return undefined;
  const rest = target.slice(prefix.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}

/**
 * Finds what was under way together and names one key, so that either may have been the first, in entries that are in
 * the order in which they began.
 */
function findSideBySide(
  entries: readonly HarExchange[],
  baseUrl: string,
  contract: Contract,
): ReadonlySet<HarExchange> {
  const find = createPathFinder(contract);
  const latest = new Map<string, { readonly entry: HarExchange; readonly endedAt: number }>();
  const found = new Set<HarExchange>();

  /** Undefined for what creates nothing under a key of its client's. */
  function nameOf(entry: HarExchange): string | undefined {
    const { request } = entry.exchange;
    const path = targetBelow(baseUrl, entry)?.split('?', 1)[0] ?? '';
    const operation = find(path).route?.operations.get(request.method);
    if (operation?.kind.kind !== 'create' || operation.kind.key.kind !== 'client') return undefined;
    const key = readKey(readBody(request, operation.requestBody), operation);
    return key === undefined ? undefined : `${path} ${typeof key === 'string' ? key : numberKey(key)}`;
  }

  for (const entry of entries) {
    const name = nameOf(entry);
    if (name !== undefined) {
      const before = latest.get(name);
      const endedAt = entry.startedAt + entry.exchange.durationMs;
      // Times are in whole milliseconds, in which one may end and the next begin.
      if (before !== undefined && entry.startedAt <= before.endedAt) {
        found.add(entry).add(before.entry);
      }
      latest.set(name, { entry, endedAt: Math.max(endedAt, before?.endedAt ?? 0) });
    }
  }
  return found;
}

/** Finds what was under way together with a change, in entries that are in the order in which they began. */
function findBesideChanges(entries: readonly HarExchange[]): ReadonlySet<HarExchange> {
  // Who wrote down no time may have taken any.
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
 * Whether a recording shows the credentials of its requests: browsers leave out Authorization and cookies unless they
 * are asked not to, and do not say so.
 */
function showsCredentials(entries: readonly HarExchange[], contract: Contract): boolean {
  const { isField, isMember } = credentialNames(contract);
  return entries.some(({ exchange: { request } }) => {
    const members = [...new URLSearchParams(request.target.split('?')[1] ?? '').keys()];
    const names = new Set(members.map((name) => name.toLowerCase()));
    return request.headers.some(([name]) => isField(name)) || members.some((name) => isMember(name, names));
  });
}

/** Fields in which a short secret stands by chance, and of which nothing is judged in a recording. */
const numeric = new Set(['date', 'content-length']);

/**
 * Creates what says why an exchange cannot be judged out of which a report of ours has left secrets, but for the places
 * of credentials: what stood there is not known, and may have been valid.
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

/** Makes traffic of the entries of recordings, in the order in which they began; of one base URL it can be judged. */
export function toTraffic(input: {
  readonly entries: readonly HarExchange[];
  readonly baseUrl: string;
  readonly contract: Contract;
}): readonly Traffic[] {
  const { baseUrl, contract } = input;
  const entries = input.entries.toSorted((left, right) => left.startedAt - right.startedAt);
  const own = entries.filter((entry) => targetBelow(baseUrl, entry) !== undefined);
  const sideBySide = findSideBySide(own, baseUrl, contract);
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
      isSideBySide: sideBySide.has(entry),
      isBesideChange: besideChanges.has(entry),
      mayHideCredentials,
      unjudged:
        target === undefined ? `it is not below ${baseUrl}` : (entry.unjudged ?? whyIncomplete(exchange)),
    };
  });
}
