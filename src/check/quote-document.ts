import type { Operation } from '../contract/operation.ts';
import { statusName } from '../contract/status-name.ts';
import { appendPointer } from '../json/json-pointer.ts';
import type { Clause } from './finding.ts';

/** The statuses that an operation declares, in words: `200, 400`. */
export function listStatuses(operation: Operation): string {
  return operation.responses.map(({ status }) => statusName(status)).join(', ') || 'none';
}

/** The clause by which only the declared responses may come. */
export function quoteResponses(operation: Operation): Clause {
  return {
    kind: 'document',
    pointer: appendPointer(operation.pointer, 'responses'),
    quote: `declares ${listStatuses(operation)}`,
  };
}
