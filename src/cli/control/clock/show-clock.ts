import type { Action } from '../action.ts';
import { describeTime } from './describe-time.ts';

/** `cloche clock show` */
export const showClock: Action = {
  act: async (client) => describeTime(await client.call({ method: 'GET', path: '/clock' })),
};
