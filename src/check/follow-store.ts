import { isTurnedAway } from './is-turned-away.ts';
import type { Judged } from './judged.ts';
import { resourceKey } from './resource-key.ts';
import { classifyStatus } from './status-class.ts';

/**
 * What a key is to a store that keeps what it was given and nothing else (free: nothing named it; named: only
 * requests that were turned away did; taken: something was created under it; unknown: the answer did not say).
 */
export type KeyState = 'free' | 'named' | 'taken' | 'unknown';

/** An exchange, and what its key was when its request was sent. */
export interface StoreStep {
  readonly judged: Judged;
  /** Undefined where the client names none. */
  readonly key: string | undefined;
  readonly before: KeyState;
  /** The last exchange that named the key before. */
  readonly namedBy: Judged | undefined;
}

interface Known {
  readonly state: KeyState;
  readonly by: Judged;
}

function learn(before: KeyState, judged: Judged): Known {
  if (before === 'taken' || classifyStatus(judged.answer) === 'accepted') {
    return { state: 'taken', by: judged };
  }
  return { state: isTurnedAway(judged) && before !== 'unknown' ? 'named' : 'unknown', by: judged };
}

function textOf({ exchange }: Judged): string {
  return new TextDecoder().decode(exchange.request.body ?? new Uint8Array());
}

/**
 * Follows a trace with the simplest store there is: a map from keys to whether something was created under them.
 * Checks hold the answers of a service against it.
 *
 * @param trace - requests that were sent one after the other, in that order
 */
export function followStore(trace: readonly Judged[]): readonly StoreStep[] {
  const keys = new Map<string, Known>();
  // A service may find a key in a body that cannot be read here.
  const unread: { readonly text: string; readonly known: Known }[] = [];
  return trace.map((judged) => {
    const key = resourceKey(judged);
    if (key === undefined) {
      unread.push({ text: textOf(judged), known: learn('free', judged) });
      return { judged, key, before: 'free', namedBy: undefined };
    }
    const place = `${judged.exchange.request.target} ${key}`;
    const known = keys.get(place) ?? unread.find(({ text }) => text.includes(key))?.known;
    const before = known?.state ?? 'free';
    keys.set(place, learn(before, judged));
    return { judged, key, before, namedBy: known?.by };
  });
}
