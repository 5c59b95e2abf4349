import type { Level } from '../check/finding.ts';
import type { OpenRun } from './open-run.ts';
import type { PlannedProperty } from './plan-run.ts';
import type { PropertyResult, Verdict } from './run-event.ts';
import type { RunOptions } from './run-options.ts';
import { runProperty } from './run-property.ts';

/** What the cases of one property came to so far. */
interface Tally {
  cases: number;
  requests: number;
  hangs: boolean;
  readonly levels: Set<Level>;
  /** Why cases showed nothing; as many as there are cases where none showed anything. */
  readonly unjudged: string[];
}

function concludeFrom({ cases, hangs, levels, unjudged }: Tally): Verdict {
  if (levels.has('violation')) {
    return 'broken';
  }
  if (hangs) {
    return 'given-up';
  }
  if (cases > 0 && unjudged.length === cases) {
    return 'unjudged';
  }
  return levels.has('advice') ? 'advised' : 'held';
}

/**
 * Runs one planned property and says what it came to.
 *
 * @throws what runProperty throws
 */
export async function runPlanned(
  planned: PlannedProperty,
  run: OpenRun,
  options: RunOptions,
): Promise<PropertyResult> {
  const { property, suite } = planned;
  const { id, title, via = 'client' } = property;
  const tally: Tally = { cases: 0, requests: 0, hangs: false, levels: new Set(), unjudged: [] };
  const session = run.openSession({ suite, property: id, via }, ({ findings }) => {
    tally.requests += 1;
    findings.forEach(({ level }) => tally.levels.add(level));
  });
  await runProperty({
    property: {
      ...property,
      async run(testCase, recorder) {
        tally.cases += 1;
        const trace = await property.run(testCase, recorder);
        const reason = property.whyUnjudged?.(trace);
        tally.unjudged.push(...(reason === undefined ? [] : [reason]));
        return trace;
      },
    },
    session,
    context: run.context,
    seed: options.seed,
    runs: options.runs,
    path: planned.path,
    isStopped: () => tally.hangs || run.isStopped(),
    onHang() {
      tally.hangs = true;
      run.ledger.notChecked.push({
        what: `${suite}/${id}`,
        reason: `given up after ${tally.cases} ${tally.cases === 1 ? 'case' : 'cases'}, as the service hangs on requests like them; mend the hang first`,
      });
    },
    sightings: (finding) => run.ledger.sightings(finding),
    hangs: () => run.ledger.hangs(),
    isKnown: (finding) => run.ledger.isKnown(finding),
    onConcluded: (finding) => run.ledger.count(finding),
    onFinding(found) {
      tally.levels.add(found.finding.level);
      run.take(planned, session, found);
    },
  });
  const verdict = concludeFrom(tally);
  const [reason] = tally.unjudged;
  if (reason !== undefined && tally.unjudged.length === tally.cases) {
    run.ledger.notChecked.push({ what: `${suite}/${id}`, reason });
  }
  return { suite, property: id, title, cases: tally.cases, requests: tally.requests, verdict };
}
