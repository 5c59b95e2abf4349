import { firstCase } from '../arbitrary/request-case.ts';
import type { Level } from '../check/finding.ts';
import type { PropertyResult, Verdict } from '../events/events.ts';
import { NoItem } from '../session/items.ts';
import { isSameCause } from '../session/send-case.ts';
import { confirmFinding, mayComeOfState } from './confirm.ts';
import { countCases, countMadeCases, type PlannedProperty, requestsOfCase } from './plan.ts';
import type { OpenRun } from './run-context.ts';
import { type CauseFound, costlyChecks, type PropertyRun, searchCause } from './search.ts';
import { isComparable, isComparedWhole } from './suite.ts';

/** What the cases of one property came to so far. */
interface Tally {
  cases: number;
  requests: number;
  hangs: boolean;
  readonly levels: Set<Level>;
  /** How many cases showed nothing. */
  unjudged: number;
  /** Why the first of them did not. */
  whyUnjudged: string | undefined;
}

/** A planned property under way. */
export interface OpenProperty {
  readonly suite: string;
  /** The most requests that one of its cases sends. */
  readonly requestsOfCase: number;
  /** What it fills, where no other that does may run at the same time. */
  readonly writesTo: string | undefined;
  /** How many of the cases that were planned at most there are not, as far as that was seen when they were made. */
  countUnmade(): number;
  /** Whether a case of it was tried. */
  hasTried(): boolean;
  /** Whether it turned out that there is no case of it. */
  isEmpty(): boolean;
  /** Whether its first case showed something that was not tried again yet. */
  hasUnconfirmed(): boolean;
  /** Tries its first case, the plainest. @throws as {@link searchProperty} */
  runFirst(): Promise<void>;
  /** Tries the fixed cases: they say most with the fewest requests. @throws as {@link searchProperty} */
  runExamples(): Promise<void>;
  /** Tries the random cases behind them. @throws as {@link searchProperty} */
  runRest(): Promise<void>;
  /** Leaves it untried, as the service hangs on some of what it sends. */
  giveUp(): void;
  /** What it came to; undefined where nothing was tried, where it broke off, and where it was concluded before. */
  conclude(): PropertyResult | undefined;
}

/** Opens a planned property, so that the examples of all can be tried before the random cases of any. */
export function openProperty(planned: PlannedProperty, run: OpenRun): OpenProperty {
  const { property, suite, path } = planned;
  const { id, title, via = 'client', waits = true } = property;
  const most = countCases(property, planned.runs);
  const { ledger, memory, context, settings } = run;
  const what = `${suite}/${id}`;
  const tally: Tally = {
    cases: 0,
    requests: 0,
    hangs: false,
    levels: new Set(),
    unjudged: 0,
    whyUnjudged: undefined,
  };
  let mayConclude = true;
  const sender = run.openSender(
    { suite, property: id, via, waits, isCompared: isComparable(property) },
    ({ findings }) => {
      tally.requests += 1;
      findings.forEach(({ level }) => tally.levels.add(level));
    },
  );
  const search = searchProperty({
    property,
    sender,
    context,
    seed: settings.seed,
    runs: planned.runs,
    path,
    ledger,
    memory,
    isStopped: () => tally.hangs || run.isStopped(),
    compare: isComparedWhole(property) ? run.referenceService?.compareCase(property) : undefined,
    takeAway: property.takesAway === true ? (records) => run.takeAway(records, sender) : undefined,
    onCase(trace) {
      tally.cases += 1;
      const reason = run.isStopped() ? undefined : property.whyUnjudged?.(trace);
      tally.unjudged += reason === undefined ? 0 : 1;
      tally.whyUnjudged ??= reason;
    },
    onNoItem(why) {
      tally.unjudged += 1;
      tally.whyUnjudged ??= why;
    },
    onGivenUp(check) {
      tally.hangs = true;
      const why =
        check === 'timed-out'
          ? 'the service hangs on requests like them; mend the hang first'
          : 'its answers to requests like them are longer than is read; mend that first, or raise --response-limit';
      const cases = `${tally.cases} ${tally.cases === 1 ? 'case' : 'cases'}`;
      ledger.notChecked.push({ what, reason: `given up after ${cases}, as ${why}` });
    },
    onFinding(found) {
      tally.levels.add(found.finding.level);
      run.take(planned, found);
    },
  });

  async function goOn(part: () => Promise<void>): Promise<void> {
    try {
      await (search.isEmpty() ? undefined : part());
    } catch (error) {
      mayConclude = false;
      throw error;
    }
  }

  /** Whether the run ended before its cases did. */
  function isCutOff(): boolean {
    return path === undefined && tally.cases < (search.made() ?? most);
  }

  return {
    suite,
    requestsOfCase: requestsOfCase(property),
    countUnmade: () => most - (search.made() ?? most),
    hasTried: () => tally.cases > 0,
    isEmpty: () => search.made() === 0,
    hasUnconfirmed: () => search.hasUnconfirmed(),
    writesTo: property.writesTo,
    runFirst: () => goOn(() => search.look()),
    runExamples: () => goOn(() => search.goOnTo('examples')),
    runRest: () => goOn(() => search.goOnTo('all')),
    giveUp() {
      tally.hangs = true;
      const reason =
        'not tried, as the service hangs on some requests, and it sends many; mend the hang first';
      ledger.notChecked.push({ what, reason });
    },
    conclude() {
      search.close();
      if (!mayConclude || (tally.cases === 0 && !tally.hangs)) return undefined;
      mayConclude = false;
      const { cases, requests, unjudged, whyUnjudged: reason } = tally;
      if (reason !== undefined && unjudged === cases) {
        ledger.notChecked.push({ what, reason });
      }
      return { suite, property: id, title, cases, requests, verdict: concludeFrom(tally, isCutOff()) };
    },
  };
}

function concludeFrom({ cases, hangs, levels, unjudged }: Tally, isCutOff: boolean): Verdict {
  if (levels.has('violation')) return 'broken';
  if (hangs) return 'given-up';
  if (cases > 0 && unjudged === cases) return 'unjudged';
  if (levels.has('warning')) return 'warned';
  return isCutOff ? 'cut-off' : 'held';
}

/** How many causes one property may bring to light. */
const mostCauses = 12;
/** How often a case may turn out to show what is known. */
const mostExplained = 24;

/** The search for what is wrong with a property, a part at a time. */
interface PropertySearch {
  /** Whether there is no case at all, for which the first is made. */
  isEmpty(): boolean;
  /** How many cases there are; undefined as long as they were not made. */
  made(): number | undefined;
  /** Whether the first case showed something that the search did not come back to yet. */
  hasUnconfirmed(): boolean;
  /** Tries the first case, and leaves what it shows to be made smaller once the search goes on. */
  look(): Promise<void>;
  /**
   * Goes on up to the last example, or to the last case of all: every new cause is made small, confirmed with fresh keys, and handed over; then the
   * search goes on behind the case that first showed it.
   */
  goOnTo(end: 'examples' | 'all'): Promise<void>;
  /** Hands over what the first case showed and the search never came back to. */
  close(): void;
}

/**
 * Begins the search for what is wrong with a property: at its first case, or at the one of its path.
 * @throws ClocheError CANNOT_JUDGE (its methods) where the service is gone, and whatever the property throws
 */
export function searchProperty(run: PropertyRun): PropertySearch {
  const { property } = run;
  let total: number | undefined;
  let hasFirst: boolean | undefined;
  const countAll = (): number => (total ??= countMadeCases(property, run.runs));
  let start = run.path;
  let next = 0;
  let causes = 0;
  let explained = 0;
  let isOver = false;
  /** What the first case showed, until the search comes back to it, and how often it was tried since. */
  let first: { readonly found: CauseFound; readonly tried: number } | undefined;

  async function take(found: CauseFound): Promise<void> {
    if (found.isExplained) {
      explained += 1;
      return;
    }
    causes += 1;
    await confirmAndTell(run, found);
  }

  async function takeAndGoOn(found: CauseFound): Promise<void> {
    await take(found);
    const { check } = found.finding;
    const isCostly = costlyChecks.has(check);
    if (run.path !== undefined) return;
    // What a case shows beside what it was made smaller for would be seen by nobody again.
    for (const { finding, path } of isCostly ? [] : found.besides) {
      if (causes >= mostCauses || run.isStopped() || run.ledger.isKnown(finding)) continue;
      const beside = await searchCause(run, { start: path, runs: 1, goesOn: true });
      await (beside === undefined ? undefined : take(beside));
    }
    next = Number(found.path.split(':', 1)[0]) + 1;
    start = String(next);
    isOver = causes >= mostCauses || explained >= mostExplained;
    if (isCostly && next < countAll()) {
      run.onGivenUp(check);
      isOver = true;
    }
  }

  /** Looks at the next so many cases, up to the first that shows something. */
  async function step(cases: number): Promise<void> {
    const found = await searchCause(run, { start, runs: cases });
    const looked = first;
    // What it was made smaller to may have another trigger, or none.
    const isBack =
      found !== undefined &&
      looked !== undefined &&
      isSameCause({ ...found.finding, trigger: '' }, { ...looked.found.finding, trigger: '' });
    first = isBack || !run.isStopped() ? undefined : first;
    // What the first case shows only once, as what it sends is there the second time, is a finding all the same.
    if (looked !== undefined && !isBack && !run.isStopped()) await take(looked.found);
    if (found === undefined) {
      next += cases;
      start = String(next);
      return;
    }
    await takeAndGoOn(found);
  }

  return {
    isEmpty() {
      if (run.isStopped() && hasFirst === undefined) return false;
      hasFirst ??= firstCase(property) !== undefined;
      if (!hasFirst) total = 0;
      return !hasFirst;
    },
    made: () => total,
    hasUnconfirmed: () => first !== undefined,
    async look() {
      if (run.path !== undefined || run.isStopped()) return;
      const found = await searchCause(run, { start: '0', runs: 1, onlyLooks: true });
      if (found === undefined) {
        next = 1;
        start = '1';
      } else if (costlyChecks.has(found.finding.check)) {
        await takeAndGoOn(found);
      } else {
        first = { found, tried: 0 };
      }
    },
    async goOnTo(end) {
      if (run.path !== undefined) {
        isOver ||= run.isStopped();
        await (isOver ? undefined : step(1));
        isOver = true;
        return;
      }
      if (run.isStopped()) return;
      const all = countAll();
      const last = end === 'all' ? all : Math.min(property.examples.length, all);
      const isDone = (): boolean => isOver || next >= last || run.isStopped();
      while (!isDone()) {
        await step(last - next);
      }
    },
    close() {
      if (first === undefined) return;
      const { found, tried } = first;
      first = undefined;
      const { finding, records, path } = found;
      // What a store, or another request, may have caused is no finding unless it comes back.
      const isOfOthers = finding.check === 'connection-dropped' || mayComeOfState(finding, records);
      if (isOfOthers || run.ledger.isKnown(finding)) return;
      run.onFinding({ finding, records, path, confirmed: { seen: 0, tried } });
    },
  };
}

async function confirmAndTell(run: PropertyRun, found: CauseFound): Promise<void> {
  const { finding, path } = found;
  try {
    const { seen, tried, records } = await confirmFinding(run, found);
    // What the end of the run broke off was not tried; what may come of a store is no finding without it.
    const isCut = seen === 0 && run.isStopped() && !mayComeOfState(finding, found.records);
    run.onFinding({
      finding,
      records: records.length > 0 ? records : found.records,
      path,
      confirmed: isCut ? { seen: 0, tried: 0 } : { seen, tried },
    });
  } catch (error) {
    if (error instanceof NoItem) {
      run.onFinding({ finding, records: found.records, path, confirmed: { seen: 0, tried: 0 } });
      return;
    }
    // The service went before it could be asked again. What it answered stands; that it broke off may have come
    // of another request.
    if (finding.check !== 'connection-dropped') {
      run.onFinding({ finding, records: found.records, path, confirmed: { seen: 0, tried: 0 } });
    }
    throw error;
  }
}
