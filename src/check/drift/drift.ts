import { type Check, defineCheck } from '../define-check.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { describeReceived } from '../describe.ts';
import { quoteBehaviour } from '../finding.ts';
import { statusOf } from '../classify/answer.ts';
import { passingStatuses } from '../classify/request.ts';
import { answerBehaviours } from './answer.ts';
import { bodyBehaviours } from './body.ts';
import { credentialBehaviours } from './credentials.ts';
import { findConfounders } from './evidence.ts';
import type { ShownBehaviours } from './observed.ts';
import { isEnforced, resourceBehaviours } from './resources.ts';

/** What one exchange shows. Repeated ids, unique values, rate limits and stored items take several exchanges. */
export const shownBehaviours: ShownBehaviours = {
  ...credentialBehaviours,
  ...bodyBehaviours,
  ...resourceBehaviours,
  ...answerBehaviours,
};

// `as`: the keys of the behaviours.
const rules = (Object.keys(shownBehaviours) as BehaviourId[]).flatMap((question) => {
  const enforce = shownBehaviours[question]?.enforce;
  return enforce === undefined ? [] : [{ question, enforce, isOfResource: question in resourceBehaviours }];
});

/** The behaviours that a response may show even if its status depends on the time, not on the request. */
const ofTheMoment = new Set(['rate-limit', 'error-codes']);

/** The check `drift`. */
export const driftCheck: Check<'drift'> = defineCheck({
  id: 'drift',
  docs: {
    title: 'The service did not follow its policy',
    place: 'the behaviour in the policy',
    finds:
      'Behaviour that contradicts the given policy. If the document specifies the behaviour, the policy does not apply. If more than one thing in a request might explain the response, nothing is reported.',
    example: {
      request: 'POST /orders\n\n(no Authorization; the policy says 401)',
      answer: 'HTTP/1.1 403 Forbidden',
    },
  },
  judge(subject, context) {
    const status = statusOf(subject);
    // Another check reports server errors; 501 may be the response to another method.
    if (context.enforced.size === 0 || status === 0 || (status >= 500 && status !== 501)) return undefined;
    const input = { subject, context, confounders: findConfounders(subject, context) };
    for (const { question, enforce, isOfResource } of rules) {
      const isAsked =
        context.enforced.has(question) &&
        (!passingStatuses.has(status) || ofTheMoment.has(question)) &&
        (!isOfResource || isEnforced(question, subject.operation, context));
      const held = isAsked ? enforce(input) : undefined;
      if (held !== undefined && !held.holds) {
        return {
          clause: quoteBehaviour(question),
          expected: held.expected,
          received: held.received ?? describeReceived(subject.answer),
          cause: `${question} ${status}`,
        };
      }
    }
    return undefined;
  },
});
