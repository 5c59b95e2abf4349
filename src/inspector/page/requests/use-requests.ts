import { useCallback, useEffect, useState } from 'preact/hooks';
import type { LoggedRequest } from '../../../mock/message.ts';
import type { ParametersOf, RequestPage, Service } from '../../../mock/control/calls.ts';
import { askControl } from '../control.ts';

/** A filter of requests. Empty strings match all. */
export interface RequestChoice {
  readonly search: string;
  readonly verdict: string;
  readonly operation: string;
}

/** The requests of the mock, as they come. */
export interface Requests {
  /** The requests, the newest first. */
  readonly list: readonly LoggedRequest[];
  /** Whether there may be older requests. */
  readonly isCut: boolean;
  /** The number of requests that the mock dropped, because its log is limited. */
  readonly dropped: number;
  /** Increases when something may have changed, and every few seconds. */
  readonly beat: number;
  readonly service: Service | undefined;
  /** The reason why the page cannot follow the mock; undefined while it can. */
  readonly away: { readonly status: number | undefined; readonly message: string } | undefined;
  /** Starts to follow the log again. */
  readonly restart: () => void;
}

/** The maximum number of rows. The mock's log has more, and filters find them. */
const most = 250;
/** The minimum pause between two calls: a busy mock is not called for each of its requests. */
const pauseMs = 250;
/** The additional pause for each new request: a burst is shown in few, large steps. */
const pauseMsForEach = 4;
const retryMs = 1_000;
/** The time that the mock waits for a new request. It is short, because an abandoned page should cost little. */
const waitMs = 2_000;
/** The interval of calls for the service: its document may change while it runs, and another mock may replace it. */
const meetMs = 2_000;

function whenVisible(): Promise<void> {
  return document.visibilityState === 'visible'
    ? Promise.resolve()
    : new Promise((resolve) => {
        document.addEventListener('visibilitychange', () => resolve(), { once: true });
      });
}

/** Puts new requests before the known ones, and removes those that the log dropped. */
function merge(
  known: Requests['list'],
  { requests, first }: Pick<RequestPage, 'requests' | 'first'>,
): Requests['list'] {
  const kept = (known.at(-1)?.id ?? first) < first ? known.filter(({ id }) => id >= first) : known;
  return requests.length === 0 ? kept : [...requests.toReversed(), ...kept].slice(0, most);
}

type Known = Pick<Requests, 'list' | 'dropped' | 'service' | 'away'>;

/** Follows the log of the mock, also if the mock goes away and comes back with another log. */
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
    // `as`: the values of the filter are those of the parameters.
    const filter = Object.fromEntries(chosen) as ParametersOf<'listRequests'>;
    let after = 0;
    let isFirst = true;
    let startedAt: string | undefined;
    let metAt = -Infinity;
    let pause = pauseMs;

    /** Loads the description of the service. Returns false if the mock is away. */
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
        // The same object if nothing changed, because then nothing is rendered again.
        const isSame = JSON.stringify(before.service) === JSON.stringify(service.value);
        return before.away === undefined && isSame
          ? before
          : { ...before, service: service.value, away: undefined };
      });
      return true;
    }

    /** Loads new requests. Returns false if the mock did not respond. */
    async function take(): Promise<boolean> {
      const wait = isFirst ? undefined : waitMs;
      const page = await askControl('listRequests', { ...filter, after, limit: most, wait }, { signal });
      if (!page.ok) {
        setKnown((before) => ({ ...before, away: page }));
        return false;
      }
      const { requests, dropped, first, last } = page.value;
      // Ids only increase, so a smaller id means another log.
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
        await new Promise((resolve) => setTimeout(resolve, isHere ? pause : retryMs));
      }
    }
    // Only the signal rejects it, and then another loop follows.
    follow().catch(() => undefined);
    return () => control.abort();
  }, [search, verdict, operation, start]);
  return { ...known, isCut: known.list.length === most, beat, restart };
}
