import type { Action } from '../action.ts';
import { describeTime } from './describe-time.ts';
import { parseDuration } from './parse-duration.ts';

/** `cloche clock advance` */
export const advanceClock: Action = {
  options: { duration: { describe: 'How much later: 500ms, 90s, 5m, 2h, 1d' } },
  act: async (client, { required }) =>
    describeTime(
      await client.call({
        method: 'POST',
        path: '/clock/advance',
        body: { ms: parseDuration(required('duration')) },
      }),
    ),
};
