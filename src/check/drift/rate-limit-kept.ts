import { questions } from '../../policy/questions.ts';
import { contextOf } from '../context-of.ts';
import { nameOperation } from '../describe-subject.ts';
import { classifyStatus } from '../status-class.ts';
import type { TraceCheck, TraceFinding } from '../trace-check.ts';

/** Requests that were sent together and answered in less than this reached the service within one second. */
const surelyWithinMs = 900;
/** A service that counts by the clock lets in as much again when the next second begins. */
const seconds = 2;

/**
 * Holds a limit on how often a client may ask, where it was told, by requests that were sent together: more of them
 * were taken within a second than the policy lets in.
 */
export const checkRateLimitKept: TraceCheck = (trace, runContext): readonly TraceFinding[] => {
  const [first] = trace;
  const { told, policy } = contextOf(runContext, first?.operation);
  const limit = policy['rate-limit'];
  if (first === undefined || !told.has('rate-limit') || limit === 'none') {
    return [];
  }
  const isTogether = trace.every(({ exchange }) => exchange.durationMs < surelyWithinMs);
  const taken = trace.filter(({ answer }) => classifyStatus(answer) === 'accepted');
  return isTogether && taken.length > seconds * limit.perSecond
    ? [
        {
          check: 'drift',
          level: 'violation',
          operation: nameOperation(first),
          clause: { kind: 'policy', question: 'rate-limit', quote: questions['rate-limit'].question },
          expected: `429 past ${limit.perSecond} requests within a second`,
          received: `${taken.length} of ${trace.length} requests within a second were taken`,
          cause: 'rate-limit not kept',
        },
      ]
    : [];
};
