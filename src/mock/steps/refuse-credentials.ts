import type { CredentialsProblem } from '../credentials/create-authenticator.ts';
import type { Refuse } from '../refusals/create-refuser.ts';
import type { MockAnswer } from './mock-answer.ts';

/** The answer to credentials that are not let in. A 401 must say how to do better (RFC 9110 §11.6.1). */
export function refuseCredentials(
  refuse: Refuse,
  { condition, message, challenge }: CredentialsProblem,
): MockAnswer {
  const answer = refuse({ condition, message });
  // Where the document requires the field, a made-up value stands there already, which this one takes the place of.
  return answer.status === 401 && challenge !== ''
    ? refuse({ condition, message, headers: ['WWW-Authenticate', challenge] })
    : answer;
}
