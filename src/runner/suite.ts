import type { Arbitrary } from 'fast-check';
import type { CheckedExchange, TraceCheck } from '../check/reading/subject.ts';
import type { Contract } from '../contract/contract.ts';
import type { Policy } from '../policy/policy.ts';
import type { QuestionId } from '../policy/question.ts';
import type { Session } from '../session/session.ts';

/**
 * One statement that is tried with many cases. `Case` is JSON-like and immutable: it is printed, shrunk and
 * replayed. A suite has properties of any cases: each is only ever given those of its own examples and arbitrary.
 *
 * @example
 * const echo: Property<string> = {
 *   id: 'echo',
 *   title: 'A name comes back',
 *   examples: ['fern'],
 *   arbitrary: fc.string(),
 *   run: async (name, session) => [await session.send(createOf(name), session.bindKeys())],
 *   traceChecks: [],
 * };
 */
export interface Property<Case = unknown> {
  /** Unique in its suite, kebab-case: `missing-property`. */
  readonly id: string;
  /** The statement, as a sentence: `A body without a required property is refused`. */
  readonly title: string;
  /** Cases that are tried first, each once, in this order; the plainest first. */
  readonly examples: readonly Case[];
  /** How many examples there are at most, where they are made when they are first asked for. */
  readonly mostExamples?: number | undefined;
  /** The first of the examples, made without the others. @defaultValue that of the examples */
  readonly first?: (() => Case | undefined) | undefined;
  /** Whether random cases may follow, where that too is seen when they are made. @defaultValue as `arbitrary` says */
  readonly mayBeRandom?: boolean | undefined;
  /** Random cases that shrink, or undefined where the examples are all there is. */
  readonly arbitrary: Arbitrary<Case> | undefined;
  /** Lists smaller cases than a failing one, those that leave out most first, for examples as well as random cases. */
  simplify?(large: Case): Iterable<Case>;
  /** Sends what the case holds; every exchange is judged as it comes, whatever is returned. */
  run(testCase: Case, session: Session): Promise<readonly CheckedExchange[]>;
  /** So many times fewer of its cases are tried, as each sends many requests. @defaultValue 1 */
  readonly countsAs?: number;
  /** The most requests that one of its cases sends. @defaultValue as many cases as it counts for */
  readonly mostRequests?: number;
  /**
   * A raw socket shows the framing of an answer, which a client library hides; in process there is none.
   * @defaultValue 'client'
   */
  readonly via?: 'client' | 'socket';
  /** Whether a request that is put off (429) is sent again, and only the last answer judged. @defaultValue true */
  readonly waits?: boolean;
  /** What is concluded from the exchanges of one case together, in the order in which they were returned. */
  readonly traceChecks: readonly TraceCheck[];
  /**
   * Why the exchanges of one case show nothing of the statement, where that is so, and what would let it be shown. A
   * property none of whose cases shows anything was not checked.
   */
  readonly whyUnjudged?: (trace: readonly CheckedExchange[]) => string | undefined;
  /**
   * When it is run: beside others; after them and alone, since services are known to go down on requests like its own, or
   * nothing else may come between its requests; or before them, since it looks at all that there is.
   * @defaultValue 'beside-others'
   */
  readonly turn?: 'first' | 'beside-others' | 'last';
  /**
   * What it fills: those that fill the same run one after the other, and of those that run last none runs beside what fills
   * nothing. @defaultValue nothing that others fill
   */
  readonly writesTo?: string;
  /**
   * Whether what a case made is deleted when it is over, and not at the end of the run, so that the next one finds as little as
   * this one did. @defaultValue false
   */
  readonly takesAway?: boolean;
  /**
   * Whether a case sends requests side by side: which arrives first is chance, so that two services are not compared
   * by them. @defaultValue false
   */
  readonly sendsTogether?: boolean;
  /**
   * Whether what a case sends hangs on what it was answered before, ids that a service made say: another service gives
   * others, so that the case is sent to it as a whole. @defaultValue false
   */
  readonly readsAnswers?: boolean;
}

/** What a suite looks at to say whether it has anything to try, and why not. */
export interface SuiteInput {
  readonly contract: Contract;
  readonly policy: Policy;
  /** The questions whose answers the service is held to. @defaultValue none */
  readonly enforced?: ReadonlySet<QuestionId>;
  /** Whether methods may be sent that could change what is not ours (PUT, PATCH, DELETE). */
  readonly unsafeMethods: boolean;
  /** Whether what there may be is only counted, so that nothing is made to see what there is. @defaultValue false */
  readonly isCounted?: boolean;
}

/** Properties, or the reason why there are none. */
export type SuitePlan =
  | {
      readonly kind: 'properties';
      readonly properties: readonly Property[];
      /** Why there was nothing to try, where none of them turns out to have a case. */
      readonly none?: (() => string) | undefined;
    }
  | { readonly kind: 'not-applicable'; readonly reason: string };

/** A theme. */
export interface Suite {
  /** Kebab-case: `invalid-bodies`. */
  readonly id: string;
  readonly title: string;
  /** Whether it sends the plain requests of operations, so that it tries those that act on the whole service. @defaultValue false */
  readonly sendsPlainly?: boolean;
  /** What the suite tries on a contract; called once, before the run. */
  readonly plan: (input: SuiteInput) => SuitePlan;
}

/**
 * Whether two services can be compared by its cases: not by the order of requests, if that is chance, nor by framing, nor
 * by the ids that one of them made.
 */
export function isComparable({
  sendsTogether = false,
  readsAnswers = false,
  via = 'client',
}: Property): boolean {
  return !sendsTogether && !readsAnswers && via === 'client';
}

/** Whether two services can be compared by what each of its cases comes to as a whole. */
export function isComparedWhole({
  sendsTogether = false,
  readsAnswers = false,
  via = 'client',
}: Property): boolean {
  return !sendsTogether && readsAnswers && via === 'client';
}
