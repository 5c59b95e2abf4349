import type { ControlOperation } from '../control-operation.ts';
import { describeClock } from '../describe-clock.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';

/** `GET /clock`: the time that the mock goes by. */
export const getClock: ControlOperation = {
  path: '/clock',
  method: 'get',
  declares: {
    operationId: 'getClock',
    summary: 'The time that the mock goes by',
    responses: { '200': jsonContent('The time.', ref('Clock')) },
  },
  act: (_request, { mock }) => ({ status: 200, body: describeClock(mock.clock) }),
};
