import {
  describeExcluded,
  type LeftOut,
  nameOperations,
  nameSome,
  type OperationSelection,
  selectOperations,
} from '../contract/select-operations.ts';
import type { NotChecked } from '../events/events.ts';
import type { RunSettings } from '../session/target.ts';
import { readOnlyReason, safeMethods } from '../session/items.ts';

/** Returns the operations that a run tests, and those that it leaves out. */
export function selectTargets({
  contract,
  readOnly,
  unsafeMethods,
  excluded,
}: Pick<RunSettings, 'contract' | 'readOnly' | 'unsafeMethods' | 'excluded'>): OperationSelection {
  return selectOperations(contract, {
    methods: readOnly ? safeMethods : undefined,
    changesOthers: unsafeMethods,
    excluded,
  });
}

/** Describes operations that a run leaves out, with the reason. */
export function describeLeftOut({ why, error, operations }: LeftOut): NotChecked {
  if (why === 'excluded') return describeExcluded(operations);
  const reasons = {
    'document-error': `NOT TESTED: ${nameSome(operations.map(({ id }) => id))}, because of the ${error}.`,
    method: readOnlyReason,
    'items-of-others':
      'not sent, as the run did not make what they would change; send them with --unsafe-methods',
  };
  return { what: nameOperations(operations), reason: reasons[why] };
}
