import type { MockClock } from '../clock/mock-clock.ts';
import { createEntryMaker } from '../log/create-entry-maker.ts';
import type { LogContext, RawRequest } from '../log/raw-request.ts';
import { whenThere } from '../maybe-promise.ts';
import type { RequestLogEntry } from '../request-log-entry.ts';
import type { Responder } from './responder.ts';
import type { MockAnswer } from './mock-answer.ts';
import type { RequestHead } from './request-head.ts';

/** What the log shows of what could not be read. */
const unread: Omit<RequestHead, 'header'> = { method: '-', target: '-', fields: () => [] };

/**
 * A responder that keeps each answer, and tells of it when it is made, before it is written. It is to be given
 * `performance.now` for its timer.
 *
 * @param input.record - keeps a request, and gives it its id
 * @param input.log - is told of each
 */
export function logAnswers(
  responder: Responder,
  input: {
    readonly record: (raw: RawRequest) => void;
    readonly log: ((entry: RequestLogEntry) => void) | undefined;
    readonly clock: MockClock;
    readonly context: LogContext;
  },
): Responder {
  const { record, log, clock, context } = input;
  const toEntry = log === undefined ? undefined : createEntryMaker(context);

  function tell(
    head: Omit<RequestHead, 'header'>,
    { answer, begun, content }: { answer: MockAnswer; begun: number; content: RawRequest['content'] },
  ): void {
    const takenMs = performance.now() - begun;
    const durationMs = takenMs + (answer.delivery?.delayMs ?? 0);
    const raw: RawRequest = {
      id: 0,
      // A clock that stands still stood there when the head came, too.
      time: clock.now() - (clock.isFrozen ? 0 : Math.round(takenMs)),
      durationMs,
      method: head.method,
      target: head.target,
      fields: head.fields(),
      content,
      answer,
      leftOut: undefined,
      context,
    };
    record(raw);
    if (toEntry !== undefined) {
      log?.(toEntry(raw));
    }
  }

  return {
    contentLimit: responder.contentLimit,
    admit: (head) => responder.admit(head),
    respond(admitted, content) {
      const { head, begun } = admitted;
      return whenThere(responder.respond(admitted, content), (answer) => {
        tell(head, { answer, begun, content });
        return answer;
      });
    },
    conclude(answered, content) {
      const { head, begun } = answered;
      const answer = responder.conclude(answered, content);
      tell(head, { answer, begun, content });
      return answer;
    },
    refuse(rejection) {
      const answer = responder.refuse(rejection);
      tell(rejection.head ?? unread, { answer, begun: performance.now(), content: 'not-read' });
      return answer;
    },
  };
}
