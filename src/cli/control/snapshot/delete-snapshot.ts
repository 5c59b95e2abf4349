import type { Action } from '../action.ts';

/** `cloche snapshot delete` */
export const deleteSnapshot: Action = {
  options: { name: { describe: 'What it is called' } },
  async act(client, { required }) {
    const name = required('name');
    await client.call({ method: 'DELETE', path: `/snapshots/${encodeURIComponent(name)}` });
    return { value: undefined, lines: [`The snapshot "${name}" is forgotten.`] };
  },
};
