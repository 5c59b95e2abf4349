import { type Check, defineCheck } from '../define-check.ts';
import { describeReceived } from '../describe.ts';
import { quoteQuestion } from '../finding.ts';
import { statusOf } from '../reading/answer.ts';
import { passingStatuses } from '../reading/request.ts';
import { answerHolds, answerObservers } from './answer.ts';
import { bodyHolds, bodyObservers } from './body.ts';
import { credentialHolds, credentialObservers } from './credentials.ts';
import { findConfounders, type QuestionRule } from './evidence.ts';
import type { Observers } from './observed.ts';
import { resourceHolds, resourceObservers } from './resources.ts';

/** What one exchange can show; repeated keys, values that have to be unique, a limit that is kept and the life of an item take several. */
const holds: readonly QuestionRule[] = [...credentialHolds, ...bodyHolds, ...resourceHolds, ...answerHolds];

/** What may be shown where an answer speaks of the moment, not of the request. */
const ofTheMoment = new Set(['rate-limit', 'error-codes']);

/** The check `drift`. */
export const driftCheck: Check<'drift'> = defineCheck({
  id: 'drift',
  docs: {
    title: 'The service did not follow its policy',
    place: 'the question of the policy',
    finds:
      'Behaviour other than an answer of the policy that was given. Where the document specifies the behaviour itself, the policy does not apply; where more than one thing in a request might explain the response, nothing is concluded.',
    example: {
      request: 'POST /orders\n\n(no Authorization; the policy says 401)',
      answer: 'HTTP/1.1 403 Forbidden',
    },
  },
  judge(subject, context) {
    const status = statusOf(subject);
    // A server error is a finding of its own; 501 may be what another method is answered.
    if (context.enforced.size === 0 || status === 0 || (status >= 500 && status !== 501)) return undefined;
    const input = { subject, context, confounders: findConfounders(subject, context) };
    for (const [question, hold] of holds) {
      const isAsked =
        context.enforced.has(question) && (!passingStatuses.has(status) || ofTheMoment.has(question));
      const held = isAsked ? hold(input) : undefined;
      if (held !== undefined && !held.holds) {
        return {
          clause: quoteQuestion(question),
          expected: held.expected,
          received: held.received ?? describeReceived(subject.answer),
          cause: `${question} ${status}`,
        };
      }
    }
    return undefined;
  },
});

/** What one exchange shows of each policy setting that one exchange can show. */
export const observers: Observers = {
  ...credentialObservers,
  ...bodyObservers,
  ...resourceObservers,
  ...answerObservers,
};
