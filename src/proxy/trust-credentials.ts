import type { CredentialsReading } from '../check/request-reading.ts';
import type { Operation } from '../contract/operation.ts';
import type { Answer } from '../http/answer.ts';
import type { HttpRequest } from '../http/http-request.ts';

/** What there is to tell good credentials of traffic from bad ones by. */
export interface TrustSource {
  readonly request: HttpRequest;
  readonly answer: Answer;
  readonly operation: Operation | undefined;
  /** Whether every good token is known, so that any other is bad. */
  readonly knowsEveryToken: boolean;
  /** Whether there may have been credentials that are not shown. */
  readonly mayHideCredentials: boolean;
  /** The header fields that may carry credentials, in lower case. */
  readonly fields: ReadonlySet<string>;
}

/** Statuses that speak of credentials, of expired ones and of ones that are good for less, too (RFC 9110 §15.5). */
const turnsAway = new Set([401, 403, 407]);
/** The name of a scheme with nothing behind it. */
const emptyScheme = /^\s*(?:Bearer|Basic)?\s*$/iu;

/** Whether a request carries something that a service may know its client by, whatever the document asks for. */
function hasCredentials({ request, fields }: TrustSource): boolean {
  return request.headers.some(([name, value]) => fields.has(name.toLowerCase()) && !emptyScheme.test(value));
}

/**
 * Says what may be concluded from the credentials of a request that somebody else made. Whoever was let in had good
 * ones. Of any other nobody knows what they were good for, at that moment: so nothing is held against an answer that
 * they may explain, and a given token that is turned away may have expired.
 *
 * @param reading - as they were read by the document and the given tokens
 */
export function trustCredentials(reading: CredentialsReading, source: TrustSource): CredentialsReading {
  const { answer, operation, knowsEveryToken, mayHideCredentials } = source;
  const status = answer.kind === 'response' ? answer.response.status : 0;
  const isIn = status >= 200 && status < 300;
  const isTurnedAway = turnsAway.has(status);
  switch (reading) {
    case 'not-required': {
      const asks = operation !== undefined && operation.security.length > 0;
      return asks && isTurnedAway ? 'unjudged' : reading;
    }
    case 'good':
    case 'good-unusual':
      return isTurnedAway ? 'unjudged' : reading;
    case 'unknown-token':
      return knowsEveryToken ? reading : isIn ? 'good' : 'unjudged';
    case 'missing':
    case 'other': {
      const isTold = !mayHideCredentials && !hasCredentials(source);
      return isTold ? reading : isIn ? 'good' : 'unjudged';
    }
    case 'unjudged':
      return reading;
  }
}
