import { nameOperation } from './describe.ts';
import type { CheckDocs, CheckId, Finding, Level } from './finding.ts';
import type {
  CheckContext,
  CheckedExchange,
  CheckInput,
  TraceCheck,
  TraceFinding,
} from './reading/subject.ts';

/** A check: what it is, and how one exchange is judged by it. */
export interface Check<Id extends CheckId = CheckId> {
  readonly id: Id;
  /** The levels that its findings can have; the first one, where it does not say another. */
  readonly levels: readonly [Level, ...Level[]];
  readonly docs: CheckDocs;
  /** Left out where a finding takes several exchanges, or is made by the run. */
  readonly judge?: (subject: CheckInput, context: CheckContext) => Finding | undefined;
}

/** A check that concludes from several exchanges together; suites name it, as they know what belongs together. */
export interface SequenceCheck<Id extends CheckId = CheckId> extends Check<Id> {
  readonly judgeTrace: TraceCheck;
}

type Settled = 'check' | 'level' | 'operation' | 'clause' | 'cause' | 'docs';

/**
 * What a judge says of a finding: the rest of it stands in the definition. Without a clause it is held against the rule that
 * `docs` states. Without a cause all findings of the check in one operation are one.
 */
export type Conclusion<Found extends Finding = Finding> = Omit<Found, Settled> &
  Partial<Pick<Found, 'level' | 'clause' | 'cause'>>;

/** Returns what a check says of each finding, unless the finding itself does. */
function settle<Id extends CheckId>({
  id,
  levels: [level] = ['violation'],
  docs,
}: Definition<Id>): (of: CheckInput) => Pick<Finding, Settled> {
  const shared = { check: id, level, cause: '', ...(id.startsWith('x-') ? { docs } : {}) };
  const clause = { kind: 'rule', name: docs.place, quote: docs.title } as const;
  return (of) => ({ ...shared, clause, operation: nameOperation(of) });
}

/** A definition; without levels, all that it finds is a violation. */
type Definition<Id extends CheckId> = Pick<Check<Id>, 'id' | 'docs'> & Partial<Pick<Check<Id>, 'levels'>>;

/** Defines a check of one exchange. */
export function defineCheck<Id extends CheckId>(
  definition: Definition<Id> & {
    readonly judge: (subject: CheckInput, context: CheckContext) => Conclusion | undefined;
  },
): Check<Id> {
  const { levels = ['violation'] } = definition;
  const settled = settle(definition);
  return {
    ...definition,
    levels,
    judge(subject, context) {
      const found = definition.judge(subject, context);
      return found && { ...settled(subject), ...found };
    },
  };
}

/** What several exchanges show, and which of them it is a finding of. */
export type SequenceConclusion = Conclusion<TraceFinding> & { readonly of: CheckedExchange };

/** Defines a check of several exchanges, which says of which of them its finding is. */
export function defineSequenceCheck<Id extends CheckId>(
  definition: Definition<Id> & {
    readonly judgeTrace: (
      trace: readonly CheckedExchange[],
      context: CheckContext,
    ) => SequenceConclusion | readonly SequenceConclusion[] | undefined;
  },
): SequenceCheck<Id> {
  const { levels = ['violation'] } = definition;
  const settled = settle(definition);
  return {
    ...definition,
    levels,
    judgeTrace(trace, context) {
      return [definition.judgeTrace(trace, context) ?? []]
        .flat()
        .map(({ of, ...found }) => ({ ...settled(of), ...found }));
    },
  };
}

/** A create as the examples have it. */
export function exampleOf(body: string): string {
  return `POST /orders\nContent-Type: application/json\n\n${body}`;
}

/** A create that has nothing wrong with it. */
export const plainExample: string = exampleOf('{"id": 7, "note": "two"}');
