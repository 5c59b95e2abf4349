import { decodeQueryText } from '../../contract/parameters/parse-query.ts';
import { redactText } from '../../http/redact-text.ts';
import type { SecurityAlternative } from '../../contract/security.ts';
import { whenThere } from '../maybe-promise.ts';
import type { RequestLogEntry } from '../request-log-entry.ts';
import type { Responder } from './responder.ts';
import type { MockAnswer } from './mock-answer.ts';
import type { RequestHead } from './request-head.ts';

/** A shorter token stands in words that are none. */
const shortestToken = 6;
/** What the log shows of what could not be read. */
const unread = { method: '-', target: '-' } as const;

/** Hides the values of query parameters that carry a key. */
function createRedaction(security: readonly SecurityAlternative[]): (target: string) => string {
  const names = new Set(
    security
      .flat()
      .flatMap((scheme) => (scheme.kind === 'api-key' && scheme.in === 'query' ? [scheme.parameter] : [])),
  );
  return (target) => {
    const start = target.indexOf('?');
    if (names.size === 0 || start === -1) {
      return target;
    }
    const members = target
      .slice(start + 1)
      .split('&')
      .map((member) => {
        const name = member.split('=', 1)[0] ?? '';
        return names.has(decodeQueryText(name)) ? `${name}=***` : member;
      });
    return `${target.slice(0, start)}?${members.join('&')}`;
  };
}

/**
 * A responder that tells of each answer. It is to be given `performance.now` for its timer.
 *
 * @param input.log - called when an answer is made, before it is written
 * @param input.security - of all operations, so that no key gets into the log
 */
export function logAnswers(
  responder: Responder,
  input: {
    readonly log: (entry: RequestLogEntry) => void;
    readonly clock: () => number;
    readonly security: readonly SecurityAlternative[];
    /** What must not get into the log wherever it stands; a token may be put into a path by mistake. */
    readonly tokens: readonly string[];
  },
): Responder {
  const { log, clock } = input;
  const tokens = input.tokens.filter((token) => token.length >= shortestToken);
  const redactKeys = createRedaction(input.security);

  /** Looks for tokens first, since to take them out costs more than to answer. */
  function hideTokens(text: string): string {
    return tokens.some((token) => text.includes(token)) ? redactText(text, tokens) : text;
  }

  function tell(head: Pick<RequestHead, 'method' | 'target'>, answer: MockAnswer, begun: number): void {
    const durationMs = performance.now() - begun;
    const { note } = answer;
    // Written out: a spread costs more than everything else here.
    log({
      time: clock() - Math.round(durationMs),
      method: head.method,
      target: hideTokens(redactKeys(head.target)),
      status: answer.status,
      operation: note.operation,
      condition: note.condition,
      undeclared: note.undeclared,
      message: note.message === undefined ? undefined : hideTokens(note.message),
      durationMs,
    });
  }

  return {
    contentLimit: responder.contentLimit,
    admit(head) {
      const admission = responder.admit(head);
      if (admission.kind === 'answered') {
        tell(head, admission.answer, admission.begun);
      }
      return admission;
    },
    respond(admitted, content) {
      return whenThere(responder.respond(admitted, content), (answer) => {
        tell(admitted.head, answer, admitted.begun);
        return answer;
      });
    },
    refuse(rejection) {
      const answer = responder.refuse(rejection);
      tell(rejection.head ?? unread, answer, performance.now());
      return answer;
    },
  };
}
