import { checkOptionNames } from '../../errors/check-option-names.ts';
import type { RequestFilter } from './request-log.ts';

const names: Readonly<Record<keyof RequestFilter, true>> = {
  operation: true,
  method: true,
  path: true,
  status: true,
  verdict: true,
  condition: true,
  search: true,
  body: true,
  headers: true,
  after: true,
};

/**
 * Looks whether a filter says what filters can say: with a slip of the pen it would mean every request, and a test
 * that asks whether there was one would pass.
 *
 * @throws ClocheError OPTION_INVALID for any other name
 */
export function checkFilter(filter: RequestFilter): void {
  checkOptionNames(filter, { names: Object.keys(names), attempt: 'filter requests by' });
}
