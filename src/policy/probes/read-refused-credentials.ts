import { findDeclaredResponse } from '../../contract/find-declared-response.ts';
import { listRefusalBodies } from '../list-refusal-bodies.ts';
import type { Asker, ProbeExchange, ProbeReading } from '../probe.ts';
import type { RefusedCredentials } from '../refused-credentials.ts';
import { unsettled } from './unsettled.ts';

const kinds = ['error', 'problem', 'empty', 'other'] as const;

/** What the answer to a request says whose credentials were not let in. */
export function readRefusedCredentials(
  { operation, contract }: Asker,
  { status, receivedBytes, mediaType, received }: ProbeExchange,
): ProbeReading<RefusedCredentials> {
  if (status < 300 || status > 499) {
    return unsettled(`it answers ${status}, which is no refusal`);
  }
  if (status === 429) {
    return unsettled('it answers 429: a guard against guessing hides what it answers otherwise');
  }
  const [body, ...also] = listRefusalBodies({ bytes: receivedBytes, mediaType, value: received }, [
    operation,
    ...contract.operations,
  ]);
  // Where the status is declared, so is the body.
  const isDeclared = findDeclaredResponse(operation.responses, status) !== undefined;
  const others = isDeclared ? kinds.filter((kind) => kind !== body) : also;
  return {
    kind: 'answer',
    answer: { status, body },
    alike: others.map((kind) => ({ status, body: kind })),
  };
}
