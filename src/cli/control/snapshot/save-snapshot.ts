import type { Action } from '../action.ts';

/** `cloche snapshot save` */
export const saveSnapshot: Action = {
  options: { name: { describe: 'What it is called' } },
  async act(client, { required }) {
    const name = required('name');
    await client.call({ method: 'PUT', path: `/snapshots/${encodeURIComponent(name)}` });
    return { value: undefined, lines: [`The snapshot "${name}" is kept.`] };
  },
};
