import { useCallback, useEffect, useState } from 'preact/hooks';
import type { LoggedRequest } from '../../../mock/message.ts';
import type { ParametersOf, RequestPage, Service } from '../../../mock/control/calls.ts';
import { askControl } from '../control.ts';

/** Which requests are shown. Empty texts choose all. */
export interface RequestChoice {
  readonly search: string;
  readonly verdict: string;
  readonly operation: string;
}

/** The requests of the mock, as they come. */
export interface Requests {
  /** The newest first. */
  readonly list: readonly LoggedRequest[];
  /** Whether there may be older ones besides. */
  readonly isCut: boolean;
  /** How many the mock has forgotten, as its log is bounded. */
  readonly dropped: number;
  /** Moves on whenever something may have changed, and every few seconds. */
  readonly beat: number;
  readonly service: Service | undefined;
  /** Why the mock cannot be followed; undefined while it can. */
  readonly away: { readonly status: number | undefined; readonly message: string } | undefined;
  /** Starts anew. */
  readonly restart: () => void;
}

/** More rows than these nobody reads; the mock's log holds more, and filters find them. */
const most = 250;
/** A busy mock is asked this often, not for each of its requests. */
const pauseMs = 250;
/** The more came at once, the longer the next look may wait: a burst is shown in few, large steps. */
const pauseMsForEach = 4;
const retryMs = 1_000;
/** How long the mock is asked to wait for a request, so that a page that is left costs little. */
const waitMs = 2_000;
/** How often the mock is asked what it is: its document may change while it runs, and another may stand in its place. */
const meetMs = 2_000;

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function whenVisible(): Promise<void> {
  return document.visibilityState === 'visible'
    ? Promise.resolve()
    : new Promise((resolve) => {
        document.addEventListener('visibilitychange', () => resolve(), { once: true });
      });
}

/** Puts new requests before those that are known, of which those go that the log no longer holds. */
function merge(
  known: Requests['list'],
  { requests, first }: Pick<RequestPage, 'requests' | 'first'>,
): Requests['list'] {
  const kept = (known.at(-1)?.id ?? first) < first ? known.filter(({ id }) => id >= first) : known;
  return requests.length === 0 ? kept : [...requests.toReversed(), ...kept].slice(0, most);
}

type Known = Pick<Requests, 'list' | 'dropped' | 'service' | 'away'>;

/** Follows the log of the mock; also when the mock goes away, and comes back with another log. */
export function useRequests(choice: RequestChoice): Requests {
  const [known, setKnown] = useState<Known>({ list: [], dropped: 0, service: undefined, away: undefined });
  const [beat, setBeat] = useState(0);
  const [start, setStart] = useState(0);
  const { search, verdict, operation } = choice;
  const restart = useCallback(() => setStart((before) => before + 1), []);
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const chosen = Object.entries({ search, verdict, operation }).filter(([, value]) => value !== '');
    // `as`: the texts of a choice are those of parameters.
    const filter = Object.fromEntries(chosen) as ParametersOf<'listRequests'>;
    let after = 0;
    let isFirst = true;
    let startedAt: string | undefined;
    let metAt = -Infinity;
    let pause = pauseMs;

    /** What the mock is; false while it is away. */
    async function meet(): Promise<boolean> {
      metAt = performance.now();
      const service = await askControl('getService', {}, { signal });
      if (!service.ok) {
        setKnown((before) => ({ ...before, away: service }));
        return false;
      }
      if (startedAt !== service.value.startedAt) {
        after = 0;
        isFirst = true;
      }
      startedAt = service.value.startedAt;
      setKnown((before) => {
        // The same object where nothing is new, so that nothing is drawn again.
        const isSame = JSON.stringify(before.service) === JSON.stringify(service.value);
        return before.away === undefined && isSame
          ? before
          : { ...before, service: service.value, away: undefined };
      });
      return true;
    }

    /** Takes what is new; false where the mock did not answer. */
    async function take(): Promise<boolean> {
      const wait = isFirst ? undefined : waitMs;
      const page = await askControl('listRequests', { ...filter, after, limit: most, wait }, { signal });
      if (!page.ok) {
        setKnown((before) => ({ ...before, away: page }));
        return false;
      }
      const { requests, dropped, first, last } = page.value;
      // Ids only grow: these are of another log.
      const isAnother = last < after;
      const isNew = isFirst || isAnother;
      after = isAnother ? 0 : Math.max(after, last);
      isFirst = isAnother;
      setKnown((before) => ({
        ...before,
        list: merge(isNew ? [] : before.list, { requests, first }),
        dropped,
      }));
      setBeat((before) => before + 1);
      pause = Math.max(pauseMs, pauseMsForEach * requests.length);
      return true;
    }

    async function follow(): Promise<void> {
      let isHere = false;
      while (!signal.aborted) {
        await whenVisible();
        const isFresh: boolean = isHere && performance.now() - metAt < meetMs;
        isHere = (isFresh || (await meet())) && (await take());
        await sleep(isHere ? pause : retryMs);
      }
    }
    // Only the signal rejects it, and then another one follows.
    follow().catch(() => undefined);
    return () => control.abort();
  }, [search, verdict, operation, start]);
  return { ...known, isCut: known.list.length === most, beat, restart };
}
