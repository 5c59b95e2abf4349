import type { Action } from '../action.ts';
import { showPolicyOf } from './show-policy.ts';

/** `cloche policy reset` */
export const resetPolicy: Action = {
  async act(client) {
    await client.call({ method: 'DELETE', path: '/policy' });
    return showPolicyOf(client);
  },
};
