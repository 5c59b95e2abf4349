import { isJsonObject } from '../json/is-json-object.ts';
import { jsonEqual } from '../json/json-equal.ts';
import type { JsonValue } from '../json/json-value.ts';
import { describeReceived, describeRequest, nameOperation } from './describe-subject.ts';
import { followStore, type StoreStep } from './follow-store.ts';
import { isPlainAndTrusted } from './is-plain-and-trusted.ts';
import { isTurnedAway } from './is-turned-away.ts';
import type { Judged } from './judged.ts';
import { classifyStatus } from './status-class.ts';
import type { TraceCheck } from './trace-check.ts';

/** What a body holds besides the key. */
function withoutKey({ request: { body }, operation }: Judged): JsonValue {
  const value = body.kind === 'valid' ? body.value : null;
  const key = operation?.kind.kind === 'create' ? operation.kind.key : undefined;
  if (key?.kind !== 'client' || !isJsonObject(value)) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key.property));
}

/** Whether the same body is taken under a key that nothing named before, so that the key alone can be at fault. */
function isTakenElsewhere({ judged }: StoreStep, later: readonly StoreStep[]): boolean {
  return later.some(
    ({ judged: other, before }) =>
      before === 'free' &&
      isPlainAndTrusted(other) &&
      classifyStatus(other.answer) === 'accepted' &&
      jsonEqual(withoutKey(other), withoutKey(judged)),
  );
}

/**
 * Finds a refused or unauthenticated request that left something behind: its key, sent in a plain valid
 * body afterwards, is refused, and the same body with another key is taken after that.
 *
 * @example an id of a request answered 401 that is "taken" when it comes again with a good token
 */
export const checkRefusedLeavesTrace: TraceCheck = (trace) => {
  const steps = followStore(trace);
  for (const [index, step] of steps.entries()) {
    const { judged: again, before, namedBy: first } = step;
    if (
      before !== 'named' ||
      first === undefined ||
      isPlainAndTrusted(first) ||
      !isPlainAndTrusted(again) ||
      !isTurnedAway(again) ||
      !isTakenElsewhere(step, steps.slice(index + 1))
    ) {
      continue;
    }
    return [
      {
        check: 'refused-leaves-trace',
        level: 'violation',
        operation: nameOperation(again),
        clause: {
          kind: 'document',
          pointer: first.operation?.pointer ?? '',
          quote: 'a request that is refused creates nothing',
        },
        expected: 'a key of a refused request is free',
        received: `${describeReceived(again.answer)} when the key came again, after ${describeReceived(first.answer)}`,
        cause: `after ${describeRequest(first.request)}`,
      },
    ];
  }
  return [];
};
