import type { Contract, Operation } from '../contract/contract.ts';
import { listExcluded, type Selection } from '../contract/selection.ts';
import type { OptionName, Picked } from '../config/command-options.ts';

type SelectionInput = Picked<Extract<OptionName, `include-${string}` | `exclude-${string}`>>;

/** Returns the selection that the options of a command describe. */
export function toSelection(input: SelectionInput): Selection {
  return {
    include: {
      operations: input['include-operation'],
      tags: input['include-tag'],
      paths: input['include-path'],
      methods: input['include-method'],
    },
    exclude: {
      operations: input['exclude-operation'],
      tags: input['exclude-tag'],
      paths: input['exclude-path'],
      methods: input['exclude-method'],
      deprecated: input['exclude-deprecated'],
    },
  };
}

/**
 * Lists the operations that the options of a command leave out.
 *
 * @throws ClocheError OPTION_INVALID for a pattern that matches no operation, and if no operation is left
 */
export function readExcluded(contract: Contract, input: SelectionInput): readonly Operation[] {
  return listExcluded(contract, toSelection(input));
}
