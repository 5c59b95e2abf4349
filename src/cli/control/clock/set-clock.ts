import { ClocheError } from '../../../errors/cloche-error.ts';
import type { Action } from '../action.ts';
import { describeTime } from './describe-time.ts';

/** A day alone begins at midnight UTC; with the time of the day and no zone, that of this machine counts (ECMA-262 §21.4.1.32). */
function toTime(text: string): string {
  const time = new Date(text);
  if (/^\d{4}-\d\d-\d\d/u.test(text) && !Number.isNaN(time.getTime())) {
    return time.toISOString();
  }
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the time',
    subject: text,
    reason: 'it is no date and time that a calendar has',
    remedy: 'Write it as 2026-03-01T08:00:00Z',
  });
}

/** `cloche clock set` */
export const setClock: Action = {
  options: { time: { describe: 'A date, or a date with its time' } },
  act: async (client, { required }) =>
    describeTime(
      await client.call({ method: 'PUT', path: '/clock', body: { now: toTime(required('time')) } }),
    ),
};
