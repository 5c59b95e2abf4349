import type { OpenRun } from '../open-run.ts';
import type { RunPlan } from '../plan-run.ts';
import type { RunFinding, RunResult } from '../run-event.ts';
import type { RunOptions } from '../run-options.ts';
import { proposePolicy } from './propose-policy.ts';
import { whatIsNotCompared } from './what-is-not-compared.ts';

/** What comparing two services came to; nothing where there is but one. */
export function describeParity(input: {
  readonly options: Pick<RunOptions, 'against'>;
  readonly run: Pick<OpenRun, 'counterpart'>;
  readonly plan: RunPlan;
  readonly findings: readonly RunFinding[];
}): Pick<RunResult, 'parity'> {
  const { plan, findings } = input;
  const { against } = input.options;
  const { counterpart } = input.run;
  if (against === undefined || counterpart === undefined) {
    return {};
  }
  const { compared, differing, hangs: unanswered } = counterpart.tally;
  const { name, names, policy } = against;
  const notCompared = whatIsNotCompared(plan);
  return {
    parity: {
      name,
      names,
      compared,
      differing,
      unanswered,
      notCompared,
      proposal: proposePolicy(findings, policy),
    },
  };
}
