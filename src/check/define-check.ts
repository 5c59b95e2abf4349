import { nameOperation } from './describe.ts';
import type { CheckId, Finding, Level } from './finding.ts';
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
  /** What it is, for who reads of one of its findings; docs/checks.md is made of it. */
  readonly docs: {
    /** What it has found, as the heading of its finding. */
    readonly title: string;
    /** The sentence that it holds an answer against: a place in the document, or an RFC and its section. */
    readonly place: string;
    /** When it finds something, and when not. */
    readonly finds: string;
    /** A request and an answer that it finds something in; lines are separated as in HTTP. */
    readonly example: { readonly request: string; readonly answer: string };
  };
  /** Left out where a finding takes several exchanges, or is made by the run. */
  readonly judge?: (subject: CheckInput, context: CheckContext) => Finding | undefined;
}

/** A check that concludes from several exchanges together; suites name it, as they know what belongs together. */
export interface SequenceCheck<Id extends CheckId = CheckId> extends Check<Id> {
  readonly judgeTrace: TraceCheck;
}

/** What a judge says of a finding: the rest of it stands in the definition. */
type Conclusion<Found extends Finding> = Omit<Found, 'check' | 'level' | 'operation'> & {
  readonly level?: Level;
};

/** A definition; without levels, all that it finds is a violation. */
type Definition<Id extends CheckId> = Pick<Check<Id>, 'id' | 'docs'> & Partial<Pick<Check<Id>, 'levels'>>;

/** Defines a check of one exchange. */
export function defineCheck<Id extends CheckId>(
  definition: Definition<Id> & {
    readonly judge: (subject: CheckInput, context: CheckContext) => Conclusion<Finding> | undefined;
  },
): Check<Id> {
  const { id, levels = ['violation'] } = definition;
  return {
    ...definition,
    levels,
    judge(subject, context) {
      const found = definition.judge(subject, context);
      return found && { check: id, level: levels[0], operation: nameOperation(subject), ...found };
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
  const { id, levels = ['violation'] } = definition;
  return {
    ...definition,
    levels,
    judgeTrace(trace, context) {
      return [definition.judgeTrace(trace, context) ?? []].flat().map(({ of, ...found }) => ({
        check: id,
        level: levels[0],
        operation: nameOperation(of),
        ...found,
      }));
    },
  };
}

/** A create as the examples have it. */
export function exampleOf(body: string): string {
  return `POST /orders\nContent-Type: application/json\n\n${body}`;
}

/** A create that has nothing wrong with it. */
export const plainExample: string = exampleOf('{"id": 7, "note": "two"}');
