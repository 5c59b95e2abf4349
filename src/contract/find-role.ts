import type { Operation, OperationKind, Resource } from './contract.ts';
import { keptRole } from './resources.ts';

/** Returns the first operation with a role on a resource. */
export function findRole(
  operations: readonly Operation[],
  { collection }: Resource,
  role: OperationKind['kind'],
): Operation | undefined {
  return operations.find((each) => {
    const own = keptRole(each);
    return own?.kind === role && own.resource.collection === collection;
  });
}
