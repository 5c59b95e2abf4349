import type { Redactor } from '../../http/create-redactor.ts';
import type { CollectedRun } from '../collect-run.ts';
import type { JunitCase } from './junit-case.ts';

/** A run that is not whole is no success, whatever it found: a test of its own says so, and none where it is whole. */
export function endCase({
  run: { end, result },
  redactor,
}: {
  readonly run: CollectedRun;
  readonly redactor: Redactor;
}): readonly JunitCase[] {
  if (end.isWhole && !result.interrupted) {
    return [];
  }
  const [type, message] = result.interrupted
    ? ['interrupted', 'The run was interrupted; what was found by then is told.']
    : ['cannot-judge', redactor.text(end.why ?? 'The service can no longer be judged.')];
  return [
    {
      suite: 'run',
      name: 'the run comes to its end',
      timeMs: 0,
      outcome: { kind: 'error', type, message, text: message },
    },
  ];
}
