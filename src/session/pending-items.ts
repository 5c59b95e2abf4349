import { statusOf } from '../check/classify/answer.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import type { Send } from '../http/message.ts';
import { pathOf } from '../http/path.ts';
import type { MadeItem } from './made-items.ts';
import { waitFor } from './throttle.ts';

/** Items whose create returned 202, and which may exist a little later (RFC 9110 §15.3.3). */
export interface PendingItems {
  /** Records the item that an exchange created. */
  readonly note: (judged: CheckedExchange, made: MadeItem) => void;
  /** Wraps a send. It repeats a request for a while if its path contains a pending item and the response is 404. */
  readonly poll: (send: Send) => Send;
}

/** The maximum time to wait for an item, and the pause between two requests, in milliseconds. */
const longestMs = 3_000;
const pauseMs = 100;

/** The number of missing items of a collection after which the run stops waiting for others. */
const mostMissing = 3;

/** Creates an empty record of pending items. */
export function createPendingItems(): PendingItems {
  /** The collections of the items, by path. */
  const pending = new Map<string, string>();
  const missing = new Map<string, number>();

  return {
    note(judged, { path, item }) {
      const { collection } = item.resource;
      if (statusOf(judged) === 202 && (missing.get(collection) ?? 0) < mostMissing) {
        pending.set(path, collection);
      }
    },
    poll: (send) => async (request, options) => {
      const parts = pending.size === 0 ? [] : pathOf(request.target).split('/');
      // The path of an item, or one below it.
      const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
      const named = paths.findLast((path) => pending.has(path)) ?? '';
      const until = performance.now() + longestMs;
      for (;;) {
        const answer = await send(request, options);
        const status = answer.kind === 'response' ? answer.response.status : 0;
        const collection = pending.get(named);
        if (collection === undefined) return answer;
        if (status >= 200 && status < 400) pending.delete(named);
        if ((status !== 404 && status !== 410) || options?.signal?.aborted === true) return answer;
        if (performance.now() >= until) {
          pending.delete(named);
          missing.set(collection, (missing.get(collection) ?? 0) + 1);
          return answer;
        }
        await waitFor(pauseMs, options?.signal);
      }
    },
  };
}
