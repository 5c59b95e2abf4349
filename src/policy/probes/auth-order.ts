import { jsonEqual } from '../../json/json-equal.ts';
import type { AuthOrderAnswer } from '../auth-order.ts';
import type { Asker, Probe, ProbeExchange, ProbeReading, ProbeRequest } from '../probe.ts';
import { asksCredentials } from './asks-credentials.ts';
import { isRefused } from './is-refused.ts';
import { notAsked } from './not-asked.ts';
import { readCode } from './read-code.ts';
import { unsettled } from './unsettled.ts';

/**
 * A body that breaks its schema. One that is no JSON is the last resort: it may be read before anything else is looked
 * at, and shows nothing of the order of checks then.
 */
function invalidBody(asker: Asker): ProbeRequest {
  return { body: [['{}', '[]', 'null'].find((text) => !asker.isValid([text])) ?? '{'] };
}

function isAlike(left: ProbeExchange, right: ProbeExchange): boolean {
  return (
    left.status === right.status &&
    left.mediaType === right.mediaType &&
    readCode(left.received) === readCode(right.received)
  );
}

/** Bodies that say the same, word for word. */
function isEqual(left: ProbeExchange, right: ProbeExchange): boolean {
  const { received: one } = left;
  const { received: other } = right;
  return (
    isAlike(left, right) && (one === undefined || other === undefined ? one === other : jsonEqual(one, other))
  );
}

/** Which of two answers a third one is, where it is one of them and they differ. */
function pick(
  both: ProbeExchange,
  unauthenticated: ProbeExchange,
  refused: ProbeExchange,
): AuthOrderAnswer | undefined {
  const isSame = isAlike(unauthenticated, refused) ? isEqual : isAlike;
  const isFirst = isSame(both, unauthenticated);
  return isFirst === isSame(both, refused) ? undefined : isFirst ? 'before' : 'after';
}

async function ask(asker: Asker): Promise<ProbeReading<AuthOrderAnswer>> {
  if (!asksCredentials(asker.operation) || asker.operation.requestBody === undefined) {
    return notAsked('it does not take both credentials and a body');
  }
  const invalid = invalidBody(asker);
  const refused = await asker.send(invalid);
  if (!isRefused(refused)) {
    return unsettled(`it answers ${refused.status} to an invalid body`);
  }
  for (const credentials of ['missing', 'unknown-token'] as const) {
    const unauthenticated = await asker.send({ credentials });
    const both = await asker.send({ ...invalid, credentials });
    const answer = unauthenticated.isAccepted ? undefined : pick(both, unauthenticated, refused);
    if (answer !== undefined) {
      return { kind: 'answer', answer };
    }
  }
  return unsettled('an invalid body and bad credentials are answered alike');
}

/** Asks with an invalid body and without credentials at once, and holds the answer against that to each alone. */
export const authOrderProbe: Probe<AuthOrderAnswer> = { mostRequests: 5, needsTaken: true, ask };
