import { ClocheError } from '../../../errors/cloche-error.ts';
import type { ControlOperation } from '../control-operation.ts';
import { describeClock } from '../describe-clock.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';
import { earliestTime, latestTime } from '../times-of-texts.ts';
import { toPlainNumbers } from '../to-plain-numbers.ts';

/** A hundred years. */
const farthestMs = 3_155_760_000_000;

/** `POST /clock/advance`: goes on from a later time. */
export const advanceClock: ControlOperation = {
  path: '/clock/advance',
  method: 'post',
  declares: {
    operationId: 'advanceClock',
    summary: 'Go on from a later time, or an earlier one',
    requestBody: {
      required: true,
      ...jsonContent('How much later.', {
        type: 'object',
        required: ['ms'],
        additionalProperties: false,
        properties: { ms: { type: 'number', minimum: -farthestMs, maximum: farthestMs } },
      }),
    },
    responses: { '200': jsonContent('The time, as it is now.', ref('Clock')) },
  },
  refuses: [422],
  act: (request, { mock: { clock } }) => {
    // `as`: the document lets nothing else pass.
    const { ms } = toPlainNumbers(request.body ?? {}) as { readonly ms: number };
    const time = clock.now() + ms;
    if (time < earliestTime || time > latestTime) {
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'set the clock to',
        subject: String(time),
        reason: 'it is no time of the years 0 to 9999, which a date-time can name',
        remedy: 'Advance it by less',
      });
    }
    clock.advance(ms);
    return { status: 200, body: describeClock(clock) };
  },
};
