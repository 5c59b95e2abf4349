import { jsonEqual } from '../../json/value.ts';
import { invalidBody, isRefused, notAsked, unspecified, unsettled } from '../probing.ts';
import { findErrorCode } from '../error-code.ts';
import { type ProbeSession, choices, type ProbeExchange, type Behaviour, type Probed } from '../behaviour.ts';
import { asksCredentials, whyNoCredentials } from './credentials.ts';

/** The behaviour `auth-order`: whether credentials are checked before the body. */
export const authOrder: Behaviour<'auth-order'> = {
  id: 'auth-order',
  question: 'Are credentials checked before the body?',
  ...choices<'auth-order'>([
    [
      'before',
      'credentials are checked before the body',
      'Credentials first: without them the body is not looked at.',
    ],
    [
      'after',
      'credentials are checked after the body',
      'The body first: its errors are reported even without credentials.',
    ],
  ]),
  documentValue(operation) {
    const why = whyNoCredentials(operation);
    if (why !== undefined) return notAsked(why);
    return operation.requestBody === undefined && operation.parameters.length === 0
      ? notAsked('there is nothing to be checked but credentials')
      : unspecified;
  },
  probe: { mostRequests: 5, needsTaken: true, ask },
};

/** Sends an invalid body without credentials, and compares the response with those to each fault alone. */
async function ask(probeSession: ProbeSession): Probed<'auth-order'> {
  if (!asksCredentials(probeSession.operation) || probeSession.operation.requestBody === undefined) {
    return notAsked('it does not take both credentials and a body');
  }
  // A body that is not JSON is the last resort: a service may read it first, and then it shows no order.
  const body = [invalidBody(probeSession) ?? '{'];
  const refused = await probeSession.send({ body });
  if (!isRefused(refused)) return unsettled(`it answers ${refused.status} to an invalid body`);
  for (const credentials of ['missing', 'unknown-token'] as const) {
    const unauthenticated = await probeSession.send({ credentials });
    const both = await probeSession.send({ body, credentials });
    if (unauthenticated.isAccepted) continue;
    // Two similar rejections may still differ in their text.
    const isSame = isAlike(unauthenticated, refused) ? isEqual : isAlike;
    const isFirst = isSame(both, unauthenticated);
    if (isFirst !== isSame(both, refused)) return { kind: 'answer', answer: isFirst ? 'before' : 'after' };
  }
  return unsettled('an invalid body and bad credentials are answered alike');
}

function isAlike(left: ProbeExchange, right: ProbeExchange): boolean {
  return (
    left.status === right.status &&
    left.mediaType === right.mediaType &&
    findErrorCode(left.received, left.status) === findErrorCode(right.received, right.status)
  );
}

/** Returns whether two responses are equal, word for word. */
function isEqual(left: ProbeExchange, right: ProbeExchange): boolean {
  const { received: one } = left;
  const { received: other } = right;
  return (
    isAlike(left, right) && (one === undefined || other === undefined ? one === other : jsonEqual(one, other))
  );
}
