import type { Action } from '../action.ts';

/** `cloche requests clear` */
export const clearRequests: Action = {
  async act(client) {
    await client.call({ method: 'DELETE', path: '/requests' });
    return { value: undefined, lines: ['The requests are forgotten.'] };
  },
};
