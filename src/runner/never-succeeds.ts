import type { Finding } from '../check/finding.ts';
import { nameOperation } from '../check/describe-subject.ts';
import type { SessionRecord } from './create-session.ts';

/** How many plain bodies have to be refused before it is said that none is ever taken. */
const enough = 3;

/**
 * Finds a service that takes none of the plain bodies that its document allows.
 *
 * @param input.records - the latest plain request
 */
export function findNeverSucceeds(input: {
  readonly plainSent: number;
  readonly plainAccepted: number;
  readonly records: readonly SessionRecord[];
}): Finding | undefined {
  const judged = input.records.at(-1)?.judged;
  if (judged === undefined || input.plainSent < enough || input.plainAccepted > 0) {
    return undefined;
  }
  return {
    check: 'never-succeeds',
    level: 'violation',
    operation: nameOperation(judged),
    clause: {
      kind: 'document',
      pointer: judged.operation?.requestBody?.pointer ?? '',
      quote: 'its schema accepts the body',
    },
    expected: 'some plain valid body is taken',
    received: `all ${input.plainSent} were refused`,
    cause: 'never',
  };
}
