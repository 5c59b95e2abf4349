import type { PropertyResult } from './run-event.ts';
import type { RunOptions } from './run-options.ts';

/** Why a run did not look at everything that it can look at; undefined where it did. */
export function whyPartial(
  { path, baseline, signal }: Pick<RunOptions, 'path' | 'baseline' | 'signal'>,
  run: { readonly isStopped: boolean; readonly properties: readonly PropertyResult[] },
): string | undefined {
  if (path !== undefined) {
    return 'one case alone was run';
  }
  if (signal?.aborted === true) {
    return 'the run was interrupted';
  }
  if (run.isStopped) {
    return 'the run stopped before its end';
  }
  const givenUp = run.properties.find(({ verdict }) => verdict === 'given-up');
  return givenUp === undefined ? baseline?.partly : `${givenUp.suite}/${givenUp.property} was given up`;
}
