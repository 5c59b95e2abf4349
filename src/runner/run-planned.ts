import type { OpenRun } from './open-run.ts';
import type { PlannedProperty } from './plan-run.ts';
import type { PropertyResult } from './run-event.ts';
import type { RunOptions } from './run-options.ts';
import { runProperty } from './run-property.ts';

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
  let requests = 0;
  let cases = 0;
  let hangs = false;
  const levels = { violation: 0, advice: 0, observation: 0 };
  const session = run.openSession(suite, property.id, () => {
    requests += 1;
  });
  await runProperty({
    property: {
      ...property,
      run(testCase, recorder) {
        cases += 1;
        return property.run(testCase, recorder);
      },
    },
    session,
    context: run.context,
    seed: options.seed,
    runs: options.runs,
    path: planned.path,
    isStopped: () => hangs || run.isStopped(),
    onHang() {
      hangs = true;
      run.ledger.notChecked.push({
        what: `${suite}/${property.id}`,
        reason: `given up after ${cases} cases, as the service hangs on requests like them; mend the hang first`,
      });
    },
    isKnown: (finding) => run.ledger.isKnown(finding),
    onFinding(found) {
      levels[found.finding.level] += 1;
      run.take(planned, session, found);
    },
  });
  const { violation: violations, advice } = levels;
  const { id, title } = property;
  return { suite, property: id, title, cases, requests, violations, advice };
}
