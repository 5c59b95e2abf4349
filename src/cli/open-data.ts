import type { MockOptions } from '../mock/mock-options.ts';
import { checkNumber } from './check-number.ts';
import { checkText } from './check-text.ts';
import type { DataArguments } from './data-arguments.ts';
import { numberRanges } from './number-ranges.ts';

/** More rows than these would take longer to make up than anybody waits for. */
const mostRows = 100_000;

/**
 * Reads the data that a mock is to start from.
 *
 * @throws ClocheError OPTION_INVALID for an option, DATA_INVALID for a file that cannot be read
 */
export async function openData(
  input: DataArguments,
): Promise<Pick<MockOptions, 'data' | 'dataCount' | 'seed'>> {
  const count = input['data-count'];
  const file = input.data === undefined ? undefined : checkText('data', input.data);
  const options = {
    ...(count === undefined
      ? {}
      : { dataCount: checkNumber('data-count', count, { from: 0, to: mostRows, whole: true }) }),
    ...(input.seed === undefined ? {} : { seed: checkNumber('seed', input.seed, numberRanges.seed) }),
  };
  if (file === undefined) {
    return options;
  }
  const { readData } = await import('../mock/state/read-data.ts');
  return { ...options, data: await readData(file) };
}
