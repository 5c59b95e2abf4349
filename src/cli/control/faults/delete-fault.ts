import type { Action } from '../action.ts';

/** `cloche faults delete` */
export const deleteFault: Action = {
  options: { id: { describe: 'Which rule, as list names it' } },
  async act(client, { required }) {
    const id = required('id');
    await client.call({ method: 'DELETE', path: `/faults/${encodeURIComponent(id)}` });
    return { value: undefined, lines: [`The rule "${id}" is gone.`] };
  },
};
