import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import { operationParts } from './operation-parts.ts';

/** More lines than these nobody reads. */
const mostListed = 12;

function nameOf({ method, path }: Operation): string {
  return `${method} ${path.template}`;
}

function byName({ operations }: Contract): ReadonlyMap<string, Operation> {
  return new Map(operations.map((operation) => [nameOf(operation), operation]));
}

function listChangedParts(before: Operation, after: Operation): readonly string[] {
  const was = operationParts(before);
  const is = operationParts(after);
  const names = new Set([...was.keys(), ...is.keys()]);
  return [...names].filter((name) => was.get(name) !== is.get(name));
}

/**
 * Says which operations another contract adds, takes away and changes, a line each, in the order of the document.
 *
 * @example
 * describeContractChange(before, after); // ['added    GET /orders', 'changed  POST /orders: request body']
 */
export function describeContractChange(before: Contract, after: Contract): readonly string[] {
  const was = byName(before);
  const is = byName(after);
  const ofAfter = [...is].flatMap(([name, operation]) => {
    const former = was.get(name);
    if (former === undefined) {
      return [`added    ${name}`];
    }
    const parts = listChangedParts(former, operation);
    return parts.length === 0 ? [] : [`changed  ${name}: ${parts.join(', ')}`];
  });
  const removed = [...was.keys()].filter((name) => !is.has(name)).map((name) => `removed  ${name}`);
  const lines = [...ofAfter, ...removed];
  const rest = lines.length - mostListed;
  return rest > 0 ? [...lines.slice(0, mostListed), `… and ${rest} operations more`] : lines;
}
