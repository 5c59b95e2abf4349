import { ClocheError } from '../../../errors/cloche-error.ts';
import type { ControlOperation } from '../control-operation.ts';
import { describeClock } from '../describe-clock.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';

/** The time that a text names; a leap second, which a Date has none of, is the one after it. */
function readTime(text: string): number {
  const time = Date.parse(text.replace(/:60(\.\d+)?/u, ':59$1'));
  if (Number.isNaN(time)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'set the clock to',
      subject: text,
      reason: 'it is no date and time that a calendar has',
      remedy: 'Give one such as 2026-03-01T08:00:00Z',
    });
  }
  return time;
}

/** `PUT /clock`: sets the time, stops it, lets it go on. */
export const putClock: ControlOperation = {
  path: '/clock',
  method: 'put',
  declares: {
    operationId: 'putClock',
    summary: 'Set the time, stop it, let it go on',
    requestBody: {
      required: true,
      ...jsonContent('What is to change.', {
        type: 'object',
        additionalProperties: false,
        properties: {
          now: { type: 'string', format: 'date-time' },
          frozen: { type: 'boolean', description: 'Whether it is to stand still.' },
        },
      }),
    },
    responses: { '200': jsonContent('The time, as it is now.', ref('Clock')) },
  },
  refuses: [422],
  act: (request, { mock: { clock } }) => {
    // `as`: the document lets nothing else pass.
    const { now, frozen } = request.body as { readonly now?: string; readonly frozen?: boolean };
    const time = now === undefined ? undefined : readTime(now);
    if (frozen !== undefined) {
      clock.freeze(frozen);
    }
    if (time !== undefined) {
      clock.set(time);
    }
    return { status: 200, body: describeClock(clock) };
  },
};
