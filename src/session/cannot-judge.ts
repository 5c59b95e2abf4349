import type { GivenCredentials } from '../arbitrary/given-credentials.ts';
import { statusOf } from '../check/classify/answer.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import { noFilesLeft } from '../http/failures.ts';
import { type HttpRequest, isSafeMethod, type Send } from '../http/message.ts';
import type { RunMemory } from './memory.ts';
import type { RunSettings } from './target.ts';
import { cannotJudge } from './throttle.ts';

/** Returns the error for a run whose service has become unreachable. */
export function whyGone(
  { name }: RunSettings,
  { wasThere, lastOfService }: RunMemory,
  { exchange }: CheckedExchange,
): Error {
  const { request, answer } = exchange;
  const reason = answer.kind === 'unreachable' ? answer.reason : '';
  if (reason === noFilesLeft) return cannotJudge(name, reason, 'Raise ulimit -n, or lower --connections');
  return wasThere
    ? cannotJudge(
        name,
        `it went down ${lastOfService === undefined ? 'during the run' : `after ${lastOfService}`}: ${reason}`,
        lastOfService === undefined
          ? 'Fix what brought it down first; with --connections 1 the run names the very request'
          : 'Everything else was tested before; if the operation is meant to stop the service, start it again',
      )
    : cannotJudge(
        name,
        `${reason} (at ${request.method} ${request.target})`,
        'Start the service, or name its base URL, and run again',
      );
}

/** Statuses that may mean that the token is rejected (RFC 9110 §15.5). */
const rejections: ReadonlySet<number> = new Set([401, 403, 407]);

/** Returns whether the response was 401, 403 or 407. */
export function isRejected(judged: CheckedExchange): boolean {
  return rejections.has(statusOf(judged));
}

/** Rejections in a row after which the token is tried again, and the number of tries: one may be an accident. */
const mostInARow = 10;
const tries = 3;

/**
 * Records an exchange. If it rejects the token unexpectedly, an accepted request is sent again.
 * @throws ClocheError CANNOT_JUDGE if the service rejects the token now and accepted it before
 */
export type TokenWatch = (judged: CheckedExchange, send: Send) => Promise<void>;

/** Creates a watch over the token that a run sends to a service. */
export function createTokenWatch({ name }: RunSettings, given: () => GivenCredentials): TokenWatch {
  let accepted: HttpRequest | undefined;
  let acceptedWith: GivenCredentials['tokens'];
  let first: HttpRequest | undefined;
  const operations = new Set<string | undefined>();
  let inARow = 0;
  return async (judged, send) => {
    const { operation, findings, exchange } = judged;
    const { request } = exchange;
    const status = statusOf(judged);
    if (judged.request.credentials !== 'good' || status === 0) return;
    if (!rejections.has(status)) {
      inARow = 0;
      if (status < 400) operations.add(operation?.id);
      if (status < 400 && isSafeMethod(request.method)) [accepted, acceptedWith] = [request, given().tokens];
      return;
    }
    if (accepted === undefined || acceptedWith !== given().tokens) return;
    first = inARow === 0 ? request : first;
    inARow += 1;
    if (inARow % mostInARow !== 0 && findings.length === 0 && !operations.has(operation?.id)) return;
    for (let tried = 0; tried < tries; tried += 1) {
      const again = await send(accepted);
      if (again.kind !== 'response' || !rejections.has(again.response.status)) return;
    }
    const { method = '', target = '' } = first ?? {};
    throw cannotJudge(
      name,
      `it rejects the token with ${status} since ${method} ${target}, though it accepted it before`,
      'Pass a token with --token that stays valid for the whole run',
    );
  };
}
