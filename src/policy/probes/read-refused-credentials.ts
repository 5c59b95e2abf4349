import { findDeclaredResponse } from '../../contract/find-declared-response.ts';
import { isJsonMediaType } from '../../http/is-json-media-type.ts';
import type { Asker, ProbeExchange, ProbeReading } from '../probe.ts';
import type { RefusedCredentials } from '../refused-credentials.ts';
import { unsettled } from './unsettled.ts';

const kinds = ['error', 'problem', 'empty'] as const;

function bodyKind({ receivedBytes, mediaType = '' }: ProbeExchange): RefusedCredentials['body'] | undefined {
  if (receivedBytes === 0) {
    return 'empty';
  }
  if (mediaType === 'application/problem+json') {
    return 'problem';
  }
  return isJsonMediaType(mediaType) ? 'error' : undefined;
}

/** What the answer to a request says whose credentials were not let in. */
export function readRefusedCredentials(
  { operation }: Asker,
  exchange: ProbeExchange,
): ProbeReading<RefusedCredentials> {
  const { status } = exchange;
  const body = bodyKind(exchange);
  if (status < 300 || status > 499) {
    return unsettled(`it answers ${status}, which is no refusal`);
  }
  if (status === 429) {
    return unsettled('it answers 429: a guard against guessing hides what it answers otherwise');
  }
  if (body === undefined) {
    const type = exchange.mediaType ?? 'no media type';
    return unsettled(`it answers ${status} with a body of ${type}, which is none of the answers`);
  }
  // Where the status is declared, so is the body.
  const isDeclared = findDeclaredResponse(operation.responses, status) !== undefined;
  const others = isDeclared ? kinds.filter((kind) => kind !== body) : [];
  return {
    kind: 'answer',
    answer: { status, body },
    alike: others.map((kind) => ({ status, body: kind })),
  };
}
