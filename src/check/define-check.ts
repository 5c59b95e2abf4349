import { nameOperation } from './describe.ts';
import type { CheckDocs, CheckId, Finding, Level } from './finding.ts';
import type {
  CheckContext,
  CheckedExchange,
  CheckInput,
  TraceCheck,
  TraceFinding,
} from './classify/subject.ts';

/** A check: its documentation, and the function that judges one exchange. */
export interface Check<Id extends CheckId = CheckId> {
  readonly id: Id;
  /** The levels that its findings can have; the first one is the default. */
  readonly levels: readonly [Level, ...Level[]];
  readonly docs: CheckDocs;
  /** Missing if a finding takes several exchanges, or if the run makes it. */
  readonly judge?: (subject: CheckInput, context: CheckContext) => Finding | undefined;
}

/** A check of several exchanges together. Suites name it, as they know which exchanges belong together. */
export interface SequenceCheck<Id extends CheckId = CheckId> extends Check<Id> {
  readonly judgeTrace: TraceCheck;
}

type Settled = 'check' | 'level' | 'operation' | 'clause' | 'cause' | 'docs';

/**
 * The part of a finding that a judge returns; the definition provides the rest. Without a clause, the clause is the
 * rule in `docs`. Without a cause, all findings of the check in one operation are one finding.
 */
export type Conclusion<Found extends Finding = Finding> = Omit<Found, Settled> &
  Partial<Pick<Found, 'level' | 'clause' | 'cause'>>;

/** Returns the parts that all findings of a check share unless a finding overrides them. */
function settle<Id extends CheckId>({
  id,
  levels: [level] = ['violation'],
  docs,
}: Definition<Id>): (of: CheckInput) => Pick<Finding, Settled> {
  const shared = { check: id, level, cause: '', ...(id.startsWith('x-') ? { docs } : {}) };
  const clause = { kind: 'rule', name: docs.place, quote: docs.title } as const;
  return (of) => ({ ...shared, clause, operation: nameOperation(of) });
}

/** A definition of a check. Without levels, all its findings are violations. */
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

/** The conclusion from several exchanges, and the exchange that it is reported for. */
export type SequenceConclusion = Conclusion<TraceFinding> & { readonly of: CheckedExchange };

/** Defines a check of several exchanges; each conclusion names the exchange that it is reported for. */
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

/** Returns a create request for an example, with the given body. */
export function exampleOf(body: string): string {
  return `POST /orders\nContent-Type: application/json\n\n${body}`;
}

/** A create request without any error. */
export const plainExample: string = exampleOf('{"id": 7, "note": "two"}');
