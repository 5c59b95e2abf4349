import type { Contract } from '../../contract/contract.ts';
import { createRouter } from '../../contract/create-router.ts';
import { listServerUrls } from '../../contract/list-server-urls.ts';
import type { HarExchange } from './har-exchange.ts';

/** Which of the services that a recording talks to is the one of the document. */
export interface FoundService {
  readonly baseUrl: string;
  /** How many entries are to operations of the document below it. */
  readonly matches: number;
  /** How it was found. */
  readonly by: 'servers' | 'paths';
}

const nowhere = 'http://nowhere.invalid';

/** The absolute URLs of a document's servers, without slashes at their ends. */
function listServers(contract: Contract): ReadonlySet<string> {
  const urls = listServerUrls(contract).flatMap((url) =>
    URL.canParse(url, nowhere) ? [new URL(url, nowhere)] : [],
  );
  return new Set(
    urls
      .filter(({ origin }) => origin !== nowhere)
      .map(({ origin, pathname }) => `${origin}${pathname.replace(/\/+$/u, '')}`),
  );
}

/** What may stand before the document's own paths: nothing, or any of the first segments. */
function listPrefixes(path: string): readonly string[] {
  return [...path.matchAll(/\//gu)].map(({ index }) => path.slice(0, index));
}

/**
 * Finds the service of a document in a recording: a server that the document names, or else the base URL below which
 * most entries are to its operations, the shortest of several.
 *
 * @returns undefined where no entry is to any of its operations
 */
export function findService(contract: Contract, entries: readonly HarExchange[]): FoundService | undefined {
  const route = createRouter(contract);
  const servers = listServers(contract);
  const counts = new Map<string, number>();
  for (const { origin, exchange } of entries.filter((entry) => /^https?:/u.test(entry.origin))) {
    const { method, target } = exchange.request;
    const path = target.split('?', 1)[0] ?? '';
    for (const prefix of listPrefixes(path)) {
      if (route(path.slice(prefix.length))?.operations.has(method) === true) {
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
