import { describeReceived, nameOperation } from './describe-subject.ts';
import { isTurnedAway } from './is-turned-away.ts';
import type { Judged } from './judged.ts';
import { resourceKey } from './resource-key.ts';
import { classifyStatus } from './status-class.ts';
import type { TraceCheck } from './trace-check.ts';

/** The exchanges by their keys, in the order in which the keys came first. */
function groupByKey(trace: readonly Judged[]): readonly (readonly Judged[])[] {
  const groups = new Map<string, Judged[]>();
  for (const judged of trace) {
    const key = resourceKey(judged) ?? '';
    groups.set(key, [...(groups.get(key) ?? []), judged]);
  }
  return [...groups.values()];
}

function isAccepted({ answer }: Judged): boolean {
  return classifyStatus(answer) === 'accepted';
}

/**
 * Advises on a service that refuses a key that exists, and creates it twice where requests come side by side: it
 * asks whether the key exists and creates it later, with something else in between. The first key of the trace
 * comes several times, one request after the other; of each further key the requests are sent side by side.
 *
 * @example two requests with one id, sent at once, that are both answered 200
 */
export const checkRace: TraceCheck = (trace) => {
  const [inTurn = [], ...raced] = groupByKey(trace);
  const [first, second, ...further] = inTurn;
  if (
    first === undefined ||
    second === undefined ||
    !isAccepted(first) ||
    ![second, ...further].every(isTurnedAway)
  ) {
    return [];
  }
  const lost = raced.find((group) => group.filter(isAccepted).length > 1);
  const [one] = lost?.filter(isAccepted) ?? [];
  if (lost === undefined || one === undefined) {
    return [];
  }
  return [
    {
      check: 'race',
      level: 'advice',
      operation: nameOperation(one),
      clause: {
        kind: 'policy',
        question: 'duplicate-key',
        quote: 'What happens when the key exists already?',
      },
      expected: `one of several requests with one key is taken, as ${describeReceived(second.answer)} refuses the second of two that follow each other`,
      received: `${describeReceived(one.answer)} more than once for one key, side by side`,
      cause: 'taken twice',
      shownBy: lost,
    },
  ];
};
