import type { Action } from '../action.ts';
import { describeTime } from './describe-time.ts';

/** `cloche clock freeze` */
export const freezeClock: Action = {
  act: async (client) =>
    describeTime(await client.call({ method: 'PUT', path: '/clock', body: { frozen: true } })),
};
