import { ClocheError } from '../../errors/cloche-error.ts';
import type { TestArguments } from '../test-arguments.ts';
import type { BaselineFile } from './baseline-file.ts';
import { readBaseline } from './read-baseline.ts';

/**
 * Reads the baseline that `cloche test` was given.
 *
 * @returns undefined where it was given none
 * @throws ClocheError OPTION_INVALID for `--update-baseline` without a file; as readBaseline does
 */
export async function openBaseline(
  input: Pick<TestArguments, 'baseline' | 'update-baseline'>,
): Promise<BaselineFile | undefined> {
  const { baseline, 'update-baseline': mayBeMissing } = input;
  if (baseline === undefined && mayBeMissing) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: '--update-baseline',
      reason: 'no file is named that it could write',
      remedy: 'Name one with --baseline FILE',
    });
  }
  return baseline === undefined ? undefined : readBaseline(baseline, { mayBeMissing });
}
