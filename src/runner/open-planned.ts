import type { Level } from '../check/finding.ts';
import { endAtHang } from './end-at-hang.ts';
import type { OpenRun } from './open-run.ts';
import type { PlannedProperty } from './plan-run.ts';
import { isComparable } from './parity/is-comparable.ts';
import type { PropertyResult, Verdict } from './run-event.ts';
import type { RunOptions } from './run-options.ts';
import { searchProperty } from './run-property.ts';

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
  if (levels.has('violation')) {
    return 'broken';
  }
  if (hangs) {
    return 'given-up';
  }
  if (cases > 0 && unjudged === cases) {
    return 'unjudged';
  }
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
      if (!mayConclude || (tally.cases === 0 && !tally.hangs)) {
        return undefined;
      }
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
