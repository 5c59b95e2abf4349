import type { Action } from '../action.ts';
import { describeTime } from './describe-time.ts';

/** `cloche clock resume` */
export const resumeClock: Action = {
  act: async (client) =>
    describeTime(await client.call({ method: 'PUT', path: '/clock', body: { frozen: false } })),
};
