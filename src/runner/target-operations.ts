import type { Operation } from '../contract/contract.ts';
import { type LeftOut, type OperationSelection, selectOperations } from '../contract/select-operations.ts';
import type { NotChecked } from '../events/events.ts';
import type { RunSettings } from '../session/target.ts';
import { readOnlyReason, safeMethods } from '../session/items.ts';

/** Returns the operations that a run tests, and those that it leaves out. */
export function selectTargets({
  contract,
  readOnly,
  unsafeMethods,
}: Pick<RunSettings, 'contract' | 'readOnly' | 'unsafeMethods'>): OperationSelection {
  return selectOperations(contract, {
    methods: readOnly ? safeMethods : undefined,
    changesOthers: unsafeMethods,
  });
}

/** Describes operations that a run leaves out, with the reason. */
export function describeLeftOut({ why, error, operations }: LeftOut): NotChecked {
  const reasons = {
    'document-error': `NOT TESTED: ${nameSome(operations.map(({ id }) => id))}, because of the ${error}.`,
    method: readOnlyReason,
    'items-of-others':
      'not sent, as the run did not make what they would change; send them with --unsafe-methods',
  };
  return { what: nameOperations(operations), reason: reasons[why] };
}

/** The maximum number of listed names. */
const mostNamed = 20;

/** Names operations by method and path, a few of them if they are many. */
export function nameOperations(operations: readonly Operation[]): string {
  return nameSome(operations.map(({ method, path }) => `${method} ${path.template}`));
}

function nameSome(names: readonly string[]): string {
  if (names.length <= mostNamed) return names.join(', ');
  return `${names.slice(0, 3).join(', ')} and ${(names.length - 3).toLocaleString('en-US')} other operations`;
}
