import type { Action } from '../action.ts';

/** `cloche faults clear` */
export const clearFaults: Action = {
  async act(client) {
    await client.call({ method: 'DELETE', path: '/faults' });
    return { value: undefined, lines: ['There are no rules any more: nothing goes wrong.'] };
  },
};
