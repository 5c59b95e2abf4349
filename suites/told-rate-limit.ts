import { buildRequest } from '../src/arbitrary/build-request.ts';
import { checkRateLimitKept } from '../src/check/drift/rate-limit-kept.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import type { Property } from '../src/runner/suite.ts';
import { keepFewer } from '../src/arbitrary/keep-fewer.ts';
import { sendTogether } from './send-together.ts';
import type { ToldOperation } from './told-operation.ts';

/** Where nobody is to be put off, so many requests are not; `learn` finds a limit that is lower. */
const unlimited = 100;
/** Larger limits take more requests than a run should send at once. */
const largestLimit = 400;

/** Plain requests, sent at once. */
export function toldRateLimit({ operation, told }: ToldOperation): readonly Property[] {
  const limit = told['rate-limit'];
  const perSecond = limit === 'none' ? undefined : limit?.perSecond;
  if (limit === undefined || (perSecond !== undefined && perSecond > largestLimit)) {
    return [];
  }
  const count = perSecond === undefined ? unlimited : 2 * perSecond + 1;
  const burst: readonly RequestCase[] = Array.from({ length: count }, () => buildRequest(operation));
  return [
    {
      id: `${operation.id}.rate-limit`,
      title: 'So many requests are let in within a second as the policy says',
      examples: [burst],
      arbitrary: undefined,
      countsAs: count,
      // Being put off is what is looked for.
      waits: false,
      sendsTogether: true,
      // A limit is looked for alone. Where there is to be none the burst comes among the first: what a run sent just
      // before may add up to a rate that nobody was said to keep up with.
      turn: perSecond === undefined ? 'beside-others' : 'last',
      // `as`, twice: a property is only ever given the cases that its own examples make.
      simplify: (large) => keepFewer(large as readonly RequestCase[]),
      run: async (testCase, session) =>
        sendTogether(
          (testCase as readonly RequestCase[]).map((request) => [request, session.bindKeys()] as const),
          session,
        ),
      traceChecks: [checkRateLimitKept],
    },
  ];
}
