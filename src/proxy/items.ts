import { nameOperation } from '../check/describe.ts';
import { type CheckId, type Finding, locateFinding } from '../check/finding.ts';
import type { StatefulConclusion } from '../check/stateful/conclusions.ts';
import { createTraceFollower, followItems } from '../check/stateful/follow.ts';
import type { CheckContext, CheckedExchange } from '../check/classify/subject.ts';
import { isSafeMethod } from '../http/message.ts';
import { redacted } from '../http/redact.ts';

/** A finding about items, with the earlier exchanges that it needs. */
export interface ItemFinding {
  readonly finding: Finding;
  readonly shownBy: readonly CheckedExchange[];
}

/** Maximum number of exchanges, and of bytes in them, to follow together; earlier observations are then forgotten. */
const mostFollowed = 1_000;
const mostBytes = 16 * 1_024 * 1_024;

/**
 * Creates a judge of the items in traffic. It has the model of a run, and concludes less. A finding of one exchange
 * alone has no other explanation. A finding of several exchanges may be explained by a request that did not pass here,
 * so it is a warning, and only for items that the traffic itself created. A value for a property that only the service
 * sets is a warning too, because a client may have computed it in the same way.
 */
export function createItemJudge(context: CheckContext): {
  /** `isBesideChange` has the meaning that it has in traffic. */
  readonly judge: (
    judged: CheckedExchange,
    when: { readonly isBesideChange: boolean },
  ) => readonly ItemFinding[];
  /** Forgets all observations, because there was an unknown change. */
  readonly forget: () => void;
} {
  let follow = createTraceFollower(context);
  let followed = 0;
  let bytes = 0;

  function forget(): void {
    follow = createTraceFollower(context);
    followed = 0;
    bytes = 0;
  }

  function followOn(judged: CheckedExchange, isUnordered: boolean): readonly StatefulConclusion[] {
    const { request, answer } = judged.exchange;
    if (isUnordered && isSafeMethod(request.method)) return [];
    followed += 1;
    bytes += (request.body?.length ?? 0) + (answer.kind === 'response' ? answer.response.body.length : 0);
    if (followed > mostFollowed || bytes > mostBytes) forget();
    return follow(judged, { isUnordered });
  }

  function toFinding({ of, shownBy = [of], ...found }: StatefulConclusion): ItemFinding {
    const { level = 'violation' } = found;
    const finding = { ...found, level, operation: nameOperation(of) };
    return { finding: locateFinding(finding, context.contract), shownBy };
  }

  return {
    forget,
    judge(judged, { isBesideChange }) {
      const alone = followItems([judged], context).filter(isOfCreate);
      const together = followOn(judged, isBesideChange || hidesClient(judged)).filter(
        (found) =>
          isOfOwnItem(found) &&
          isOfCreate(found) &&
          !alone.some(({ check, cause }) => check === found.check && cause === found.cause),
      );
      return [
        ...alone.map(toFinding).map((one) => (one.finding.check === readOnly ? warn(one) : one)),
        ...together.map(toFinding).map(({ finding, shownBy }) => {
          const expected = `${finding.expected}, unless another client changed it meanwhile`;
          return warn({ finding: { ...finding, expected }, shownBy });
        }),
      ];
    },
  };
}

/** Returns whether the client is unknown: a resource that exists for one client may not exist for another. */
function hidesClient({ exchange: { request } }: CheckedExchange): boolean {
  return request.headers.some(([, value]) => value.includes(redacted));
}

const readOnly: CheckId = 'read-only-written';

/** Limits read-only findings to creates: later, clients may send back values that they got from the service. */
function isOfCreate({ check, of }: StatefulConclusion): boolean {
  return check !== readOnly || of.operation?.kind.kind === 'create';
}

/** Returns whether a conclusion is about an item that was created in the exchanges that show it. */
function isOfOwnItem({ of, shownBy = [] }: StatefulConclusion): boolean {
  const collection = collectionOf(of);
  return shownBy.some((each) => each.operation?.kind.kind === 'create' && collectionOf(each) === collection);
}

function collectionOf({ operation }: CheckedExchange): string | undefined {
  const kind = operation?.kind;
  return kind === undefined || kind.kind === 'sample' ? undefined : kind.resource.collection;
}

function warn({ finding, shownBy }: ItemFinding): ItemFinding {
  return { finding: { ...finding, level: 'warning' }, shownBy };
}
