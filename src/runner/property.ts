import type { Level } from '../check/finding.ts';
import { confirmFinding } from './confirm.ts';
import type { PropertyResult, Verdict } from './events.ts';
import { NoItem } from './items.ts';
import { countCases, type PlannedProperty } from './plan.ts';
import type { OpenRun } from './run-context.ts';
import { type CauseFound, costlyChecks, type PropertyRun, searchCause } from './search.ts';
import { isComparable } from './suite.ts';

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
  const { id, title, via = 'client', waits = true, examples } = property;
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
    runs: settings.runs,
    path,
    ledger,
    memory,
    isStopped: () => tally.hangs || run.isStopped(),
    onCase(trace) {
      tally.cases += 1;
      const reason = property.whyUnjudged?.(trace);
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

  async function runUpTo(end: number): Promise<void> {
    try {
      await search(end);
    } catch (error) {
      mayConclude = false;
      throw error;
    }
  }

  /** Whether the run ended before its cases did. */
  function isCutOff(): boolean {
    return path === undefined && run.isStopped() && tally.cases < countCases(property, settings.runs);
  }

  return {
    runExamples: () => runUpTo(examples.length),
    runRest: () => runUpTo(Infinity),
    giveUp() {
      tally.hangs = true;
      const reason =
        'not tried, as the service hangs on some requests, and it sends many; mend the hang first';
      ledger.notChecked.push({ what, reason });
    },
    conclude() {
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

/**
 * Begins the search for what is wrong with a property: at its first case, or at the one of its path. The returned
 * function goes on up to a number of cases: every new cause is made small, confirmed with fresh keys, and handed
 * over; then the search goes on behind the case that first showed it.
 * @throws ClocheError CANNOT_JUDGE (the function) where the service is gone, and whatever the property throws
 */
export function searchProperty(run: PropertyRun): (end: number) => Promise<void> {
  const total = countCases(run.property, run.runs);
  let start = run.path;
  let next = 0;
  let causes = 0;
  let explained = 0;
  let isOver = false;

  async function take(found: CauseFound): Promise<void> {
    if (found.isExplained) {
      explained += 1;
      return;
    }
    causes += 1;
    await confirmAndTell(run, found);
  }

  /** Looks at the next so many cases, up to the first that shows something. */
  async function step(cases: number): Promise<void> {
    const found = await searchCause(run, start, cases);
    if (found === undefined) {
      next += cases;
      start = String(next);
      return;
    }
    await take(found);
    const { check } = found.finding;
    const isCostly = costlyChecks.has(check);
    if (run.path !== undefined) return;
    // What a case shows beside what it was made smaller for would be seen by nobody again.
    for (const { finding, path } of isCostly ? [] : found.besides) {
      if (causes >= mostCauses || run.isStopped() || run.ledger.isKnown(finding)) continue;
      const beside = await searchCause(run, path, 1, { goesOn: true });
      await (beside === undefined ? undefined : take(beside));
    }
    next = Number(found.path.split(':', 1)[0]) + 1;
    start = String(next);
    isOver = causes >= mostCauses || explained >= mostExplained;
    if (isCostly && next < total) {
      run.onGivenUp(check);
      isOver = true;
    }
  }

  return async (end) => {
    if (run.path !== undefined) {
      isOver ||= run.isStopped();
      await (isOver ? undefined : step(1));
      isOver = true;
      return;
    }
    const last = Math.min(end, total);
    while (!isOver && next < last && !run.isStopped()) {
      await step(last - next);
    }
  };
}

async function confirmAndTell(run: PropertyRun, found: CauseFound): Promise<void> {
  const { finding, path } = found;
  try {
    const { seen, tried, records } = await confirmFinding(run, found);
    run.onFinding({
      finding,
      records: records.length > 0 ? records : found.records,
      path,
      confirmed: { seen, tried },
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
