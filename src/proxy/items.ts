import { nameOperation } from '../check/describe.ts';
import { type CheckId, type Finding, locateFinding } from '../check/finding.ts';
import type { LifeCycleConclusion } from '../check/life-cycle/conclusions.ts';
import { createTraceFollower, followLifeCycles } from '../check/life-cycle/follow.ts';
import type { CheckContext, CheckedExchange } from '../check/reading/subject.ts';
import { isSafeMethod } from '../http/message.ts';
import { redacted } from '../http/redact.ts';

/** What an exchange of traffic shows of items, with those before it that it takes. */
export interface ItemFinding {
  readonly finding: Finding;
  readonly shownBy: readonly CheckedExchange[];
}

/** So many exchanges are followed together, or as many as hold so many bytes; what was seen before them is forgotten. */
const mostFollowed = 1_000;
const mostBytes = 16 * 1_024 * 1_024;

/**
 * Creates what follows the items that traffic tells of, with the model of a run, and concludes less. What one exchange
 * shows alone, nobody else's request can explain. What takes several, such a request can, where it did not pass here; so it
 * is a warning, and only of items that the traffic itself created. A value for what only the service sets, a client may have
 * worked out as the service does, so that it is a warning too.
 */
export function createItemJudge(context: CheckContext): {
  /** `isBesideChange`: as traffic has it. */
  readonly judge: (
    judged: CheckedExchange,
    when: { readonly isBesideChange: boolean },
  ) => readonly ItemFinding[];
  /** Leaves nothing certain, since something was changed of which nobody knows what. */
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

  function followOn(judged: CheckedExchange, isUnordered: boolean): readonly LifeCycleConclusion[] {
    const { request, answer } = judged.exchange;
    if (isUnordered && isSafeMethod(request.method)) return [];
    followed += 1;
    bytes += (request.body?.length ?? 0) + (answer.kind === 'response' ? answer.response.body.length : 0);
    if (followed > mostFollowed || bytes > mostBytes) forget();
    return follow(judged, { isUnordered });
  }

  function toFinding({ of, shownBy = [of], ...found }: LifeCycleConclusion): ItemFinding {
    const { level = 'violation' } = found;
    const finding = { ...found, level, operation: nameOperation(of) };
    return { finding: locateFinding(finding, context.contract), shownBy };
  }

  return {
    forget,
    judge(judged, { isBesideChange }) {
      const alone = followLifeCycles([judged], context).filter(isOfCreate);
      const together = followOn(judged, isBesideChange || hidesClient(judged)).filter(
        (found) =>
          isOfOwnItem(found) &&
          isOfCreate(found) &&
          !alone.some(({ check, cause }) => check === found.check && cause === found.cause),
      );
      return [
        ...alone.map(toFinding).map((one) => (one.finding.check === readOnly ? warn(one) : one)),
        ...together.map(toFinding).map(({ finding, shownBy }) => {
          const expected = `${finding.expected}, unless somebody else changed it meanwhile`;
          return warn({ finding: { ...finding, expected }, shownBy });
        }),
      ];
    },
  };
}

/** Whether nobody knows who asked: what is there for one client may not be for another. */
function hidesClient({ exchange: { request } }: CheckedExchange): boolean {
  return request.headers.some(([, value]) => value.includes(redacted));
}

const readOnly: CheckId = 'read-only-written';

/** Clients send back what the service made, and nobody knows when they learned it; but not before there is an item. */
function isOfCreate({ check, of }: LifeCycleConclusion): boolean {
  return check !== readOnly || of.operation?.kind.kind === 'create';
}

/** Whether what was concluded is of an item that was created in what shows it. */
function isOfOwnItem({ of, shownBy = [] }: LifeCycleConclusion): boolean {
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
