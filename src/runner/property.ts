import type { Level } from '../check/finding.ts';
import type { Judged } from '../check/reading/subject.ts';
import { confirmFinding } from './confirm.ts';
import type { PropertyResult, RunOptions, Verdict } from './events.ts';
import { countCases, type PlannedProperty } from './plan.ts';
import type { OpenRun } from './run-context.ts';
import { type CauseFound, costlyChecks, type PropertyRun, searchCause } from './search.ts';
import { isComparable, type Property, type Session } from './suite.ts';

/**
 * Runs a case of a property up to the first request that is never answered, or whose answer is longer than is read: each
 * further one might cost as much.
 *
 * @returns what the property returns, or the exchanges that there were by then
 * @throws whatever the property throws
 */
async function endAtHang(
  property: Property,
  testCase: unknown,
  session: Session,
): Promise<readonly Judged[]> {
  const hung = new Error('a request was never answered');
  const made: Judged[] = [];
  let isHung = false;
  const guarded: Session = {
    ...session,
    async send(request, keys) {
      if (isHung) throw hung;
      const judged = await session.send(request, keys);
      made.push(judged);
      const { answer } = judged.exchange;
      isHung ||=
        answer.kind === 'timed-out' || (answer.kind === 'response' && answer.response.cutAfter !== undefined);
      return judged;
    },
  };
  try {
    return await property.run(testCase, guarded);
  } catch (error) {
    if (error === hung) return made;
    throw error;
  }
}

/** How many causes one property may bring to light. */
const mostCauses = 12;
/** How often a case may turn out to show what is known. */
const mostExplained = 24;

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
    // The service went before it could be asked again. What it answered stands; that it broke off may have come
    // of another request.
    if (finding.check !== 'connection-dropped') {
      run.onFinding({ finding, records: found.records, path, confirmed: { seen: 0, tried: 0 } });
    }
    throw error;
  }
}

/** A property that is run in parts. */
interface PropertySearch {
  /**
   * Goes on to the case of this number, which it leaves out; every new cause is made small, confirmed by running
   * its case again with fresh keys, and handed over; then the search goes on behind the case that first showed it.
   *
   * @throws ClocheError CANNOT_JUDGE where the service is gone; whatever the property itself throws
   */
  upTo(end: number): Promise<void>;
}

/** Begins the search for what is wrong with a property: at its first case, or at the one of its path. */
function searchProperty(run: PropertyRun): PropertySearch {
  const total = countCases(run.property, run.runs);
  let start = run.path;
  let next = 0;
  let causes = 0;
  let explained = 0;
  let isOver = false;

  async function conclude(found: CauseFound): Promise<void> {
    const { isExplained } = found;
    causes += isExplained ? 0 : 1;
    explained += isExplained ? 1 : 0;
    if (!isExplained) {
      await confirmAndTell(run, found);
    }
  }

  /** What a case shows beside what it was made smaller for would be seen by nobody again. */
  async function lookBeside({ besides }: CauseFound): Promise<void> {
    for (const { finding, path } of besides) {
      if (causes >= mostCauses || run.isStopped() || run.isKnown(finding)) continue;
      const found = await searchCause(run, path, 1, { goesOn: true });
      await (found === undefined ? undefined : conclude(found));
    }
  }

  /** Looks at the next so many cases, up to the first that shows something. */
  async function step(cases: number): Promise<void> {
    const found = await searchCause(run, start, cases);
    if (found === undefined) {
      next += cases;
      start = String(next);
      return;
    }
    const { finding, path } = found;
    await conclude(found);
    await (costlyChecks.has(finding.check) || run.path !== undefined ? undefined : lookBeside(found));
    next = Number(path.split(':', 1)[0]) + 1;
    start = String(next);
    isOver = causes >= mostCauses || explained >= mostExplained;
    if (costlyChecks.has(finding.check) && next < total && run.path === undefined) {
      run.onGivenUp(finding.check);
      isOver = true;
    }
  }

  return {
    async upTo(end) {
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
    },
  };
}

/**
 * Runs a property to its end.
 *
 * @throws what upTo of {@link PropertySearch} throws
 */
export async function runProperty(run: PropertyRun): Promise<void> {
  await searchProperty(run).upTo(Infinity);
}

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

function concludeFrom({ cases, hangs, levels, unjudged }: Tally): Verdict {
  if (levels.has('violation')) return 'broken';
  if (hangs) return 'given-up';
  if (cases > 0 && unjudged === cases) return 'unjudged';
  return levels.has('advice') ? 'advised' : 'held';
}

/** A planned property under way. */
export interface OpenProperty {
  /**
   * Tries the fixed cases: they say most with the fewest requests.
   *
   * @throws what {@link searchProperty} throws
   */
  runExamples(): Promise<void>;
  /**
   * Tries the random cases behind them.
   *
   * @throws what {@link searchProperty} throws
   */
  runRest(): Promise<void>;
  /** Leaves it untried, as the service hangs on some of what it sends. */
  giveUp(): void;
  /** What it came to; undefined where nothing was tried, where it broke off, and where it was told before. */
  conclude(): PropertyResult | undefined;
}

/** Opens a planned property, so that the examples of all can be tried before the random cases of any. */
export function openPlanned(planned: PlannedProperty, run: OpenRun, options: RunOptions): OpenProperty {
  const { property, suite } = planned;
  const { id, title, via = 'client', waits = true } = property;
  const tally: Tally = {
    cases: 0,
    requests: 0,
    hangs: false,
    levels: new Set(),
    unjudged: 0,
    whyUnjudged: undefined,
  };
  const isCompared = isComparable(property);
  const session = run.openSession({ suite, property: id, via, waits, isCompared }, ({ findings }) => {
    tally.requests += 1;
    findings.forEach(({ level }) => tally.levels.add(level));
  });
  const search = searchProperty({
    property: {
      ...property,
      async run(testCase, recorder) {
        tally.cases += 1;
        const trace = await endAtHang(property, testCase, recorder);
        const reason = property.whyUnjudged?.(trace);
        tally.unjudged += reason === undefined ? 0 : 1;
        tally.whyUnjudged ??= reason;
        return trace;
      },
    },
    session,
    context: run.context,
    seed: options.seed,
    runs: options.runs,
    path: planned.path,
    isStopped: () => tally.hangs || run.isStopped(),
    onGivenUp(check) {
      tally.hangs = true;
      const why =
        check === 'timed-out'
          ? 'the service hangs on requests like them; mend the hang first'
          : 'its answers to requests like them are longer than is read; mend that first, or raise --response-limit';
      run.ledger.notChecked.push({
        what: `${suite}/${id}`,
        reason: `given up after ${tally.cases} ${tally.cases === 1 ? 'case' : 'cases'}, as ${why}`,
      });
    },
    sightings: (finding) => run.ledger.sightings(finding),
    hangs: () => run.ledger.hangs(),
    plainBodies: () => ({ sent: run.memory.plainSent, accepted: run.memory.plainAccepted }),
    isKnown: (finding) => run.ledger.isKnown(finding),
    onConcluded: (finding) => run.ledger.count(finding),
    onFinding(found) {
      tally.levels.add(found.finding.level);
      run.take(planned, session, found);
    },
  });
  let mayConclude = true;

  async function runUpTo(end: number): Promise<void> {
    try {
      await search.upTo(end);
    } catch (error) {
      mayConclude = false;
      throw error;
    }
  }

  return {
    runExamples: () => runUpTo(property.examples.length),
    runRest: () => runUpTo(Infinity),
    giveUp() {
      tally.hangs = true;
      run.ledger.notChecked.push({
        what: `${suite}/${id}`,
        reason: 'not tried, as the service hangs on some requests, and it sends many; mend the hang first',
      });
    },
    conclude() {
      if (!mayConclude || (tally.cases === 0 && !tally.hangs)) return undefined;
      mayConclude = false;
      const { whyUnjudged: reason } = tally;
      if (reason !== undefined && tally.unjudged === tally.cases) {
        run.ledger.notChecked.push({ what: `${suite}/${id}`, reason });
      }
      const { cases, requests } = tally;
      return { suite, property: id, title, cases, requests, verdict: concludeFrom(tally) };
    },
  };
}
