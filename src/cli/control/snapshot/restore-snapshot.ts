import type { Action } from '../action.ts';

/** `cloche snapshot restore` */
export const restoreSnapshot: Action = {
  options: { name: { describe: 'What it is called' } },
  async act(client, { required }) {
    const name = required('name');
    await client.call({ method: 'POST', path: `/snapshots/${encodeURIComponent(name)}/restore` });
    return { value: undefined, lines: [`The snapshot "${name}" is the state now.`] };
  },
};
