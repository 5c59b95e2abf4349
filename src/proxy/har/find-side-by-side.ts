import { readBody } from '../../check/read-body.ts';
import { readKey } from '../../check/read-key.ts';
import type { Contract } from '../../contract/contract.ts';
import { createRouter } from '../../contract/create-router.ts';
import { numberKey } from '../../json/number-key.ts';
import type { HarExchange } from './har-exchange.ts';
import { targetBelow } from './target-below.ts';

/**
 * Finds what was under way together and names one key, so that either may have been the first.
 *
 * @param entries - in the order in which they began
 */
export function findSideBySide(
  entries: readonly HarExchange[],
  { baseUrl, contract }: { readonly baseUrl: string; readonly contract: Contract },
): ReadonlySet<HarExchange> {
  const route = createRouter(contract);
  const latest = new Map<string, { readonly entry: HarExchange; readonly endedAt: number }>();
  const found = new Set<HarExchange>();

  /** @returns undefined for what creates nothing under a key of its client's */
  function nameOf(entry: HarExchange): string | undefined {
    const { request } = entry.exchange;
    const path = targetBelow(baseUrl, entry)?.split('?', 1)[0] ?? '';
    const operation = route(path)?.operations.get(request.method);
    if (operation?.kind.kind !== 'create' || operation.kind.key.kind !== 'client') {
      return undefined;
    }
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
