import type { RequestFilter } from '../log/request-log.ts';
import type { ControlRequest } from './control-request.ts';
import { requestFilters } from './request-filter-parameters.ts';

const numbers: ReadonlySet<string> = new Set(['status', 'after']);

/** The filter that the query of a request spells out. */
export function readRequestFilter(request: ControlRequest): RequestFilter {
  const given = requestFilters.flatMap(({ name }): [string, string | number][] => {
    const value = numbers.has(name) ? request.number(name) : request.text(name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}
