import { ClocheError } from '../errors/cloche-error.ts';
import type { Suite } from '../runner/suite.ts';

/**
 * The suites of the given ids, or all.
 *
 * @throws ClocheError OPTION_INVALID where there is no such suite
 */
export async function pickSuites(ids: readonly string[]): Promise<readonly Suite[]> {
  const { allSuites } = await import('../../suites/all-suites.ts');
  const unknown = ids.find((id) => allSuites.every((suite) => suite.id !== id));
  if (unknown !== undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'find the suite',
      subject: unknown,
      reason: 'there is none of that name',
      remedy: `Choose among ${allSuites.map(({ id }) => id).join(', ')}`,
    });
  }
  return ids.length === 0 ? allSuites : allSuites.filter(({ id }) => ids.includes(id));
}
