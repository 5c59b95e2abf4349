import type { ActiveFaultRule } from '../../../mock/faults/fault-rule.ts';
import type { Action } from '../action.ts';
import { describeFault } from './describe-fault.ts';

/** `cloche faults list` */
export const listFaults: Action = {
  async act(client) {
    const value = await client.call({ method: 'GET', path: '/faults' });
    // `as`: the document of the control interface says so.
    const { faults } = value as unknown as { readonly faults: readonly ActiveFaultRule[] };
    return {
      value,
      lines: faults.map(describeFault),
      notes: faults.length === 0 ? ['There are no rules: nothing goes wrong.'] : [],
    };
  },
};
