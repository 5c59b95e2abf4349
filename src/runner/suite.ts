import type { Arbitrary } from 'fast-check';
import type { CheckedExchange, TraceCheck } from '../check/classify/subject.ts';
import type { Contract } from '../contract/contract.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { Policy } from '../policy/policy.ts';
import type { BehaviourId } from '../policy/behaviour.ts';
import type { Session } from '../session/session.ts';

/**
 * One statement that is tested with many cases. `Case` is JSON-like and immutable: it is printed, shrunk and replayed.
 * Properties of a suite can have different case types: each receives only cases of its examples and arbitrary.
 *
 * @example
 * const echo: Property<string> = {
 *   id: 'echo',
 *   title: 'A name comes back',
 *   examples: ['fern'],
 *   arbitrary: fc.string(),
 *   run: async (name, session) => [await session.send(createOf(name), session.openIdContext())],
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
  /** The maximum number of examples, if they are created on first use. */
  readonly mostExamples?: number | undefined;
  /** Returns the first example without creating the others. @defaultValue that of the examples */
  readonly first?: (() => Case | undefined) | undefined;
  /** Whether random cases may follow, if this is only known after creation. @defaultValue whether `arbitrary` is set */
  readonly mayBeRandom?: boolean | undefined;
  /** Random cases that can be shrunk; undefined if there are only examples. */
  readonly arbitrary: Arbitrary<Case> | undefined;
  /** Lists cases smaller than a failing one, largest reductions first, for examples and for random cases. */
  simplify?(large: Case): Iterable<Case>;
  /** Sends the requests of a case. Every exchange is checked immediately, regardless of the result. */
  run(testCase: Case, session: Session): Promise<readonly CheckedExchange[]>;
  /** The divisor of the number of cases, for cases with many requests. @defaultValue 1 */
  readonly countsAs?: number;
  /** The maximum number of requests per case. @defaultValue `countsAs` */
  readonly mostRequests?: number;
  /**
   * The transport. A raw socket shows the framing of a response, which a client library hides; in process there is
   * none.
   * @defaultValue 'client'
   */
  readonly via?: 'client' | 'socket';
  /** Whether a request with 429 is repeated, and only the last response checked. @defaultValue true */
  readonly waits?: boolean;
  /** Checks of all exchanges of one case, in the order in which `run` returned them. */
  readonly traceChecks: readonly TraceCheck[];
  /**
   * Returns why the exchanges of one case do not test the statement, and what would make them test it; undefined if
   * they do. A property is unchecked if none of its cases tests it.
   */
  readonly whyUnchecked?: (trace: readonly CheckedExchange[]) => string | undefined;
  /**
   * The phase in which it runs: with others; last and alone, if services are known to crash on its requests or no other
   * request may intervene; or first, if it reads all existing items.
   * @defaultValue 'beside-others'
   */
  readonly phase?: 'first' | 'beside-others' | 'last';
  /**
   * Its exclusive group, by what it fills: properties of one group run one after the other. In the last phase, none of
   * them runs with properties outside a group. @defaultValue no group
   */
  readonly writesTo?: string;
  /**
   * Whether the items of a case are deleted directly after it instead of after the run. The next case then starts with
   * the same few items. @defaultValue false
   */
  readonly takesAway?: boolean;
  /**
   * Whether a case sends concurrent requests. Their order is random, so they cannot be used to compare two services.
   * @defaultValue false
   */
  readonly sendsTogether?: boolean;
  /**
   * Whether the requests of a case depend on its responses, for example on generated ids. The reference service
   * generates others, so it receives the case as a whole. @defaultValue false
   */
  readonly readsAnswers?: boolean;
  /**
   * Whether a case waits for callbacks. A reference service would send its own to the same URL, so the case cannot be
   * used to compare two services. @defaultValue false
   */
  readonly receivesCallbacks?: boolean;
}

/** The input from which a suite creates its plan. */
export interface SuiteInput {
  readonly contract: Contract;
  readonly policy: Policy;
  /** The enforced behaviours. @defaultValue none */
  readonly enforced?: ReadonlySet<BehaviourId>;
  /** Whether PUT, PATCH and DELETE may change items that the run did not create. */
  readonly unsafeMethods: boolean;
  /** Whether requests can be sent as a second user; undefined if the user cannot give one, as for a mock. */
  readonly hasOtherUser?: boolean | undefined;
  /** Whether the properties are only counted. Then their cases are not created. @defaultValue false */
  readonly isCounted?: boolean;
}

/** Properties, or the reason why there are none. */
export type SuitePlan = (
  | {
      readonly kind: 'properties';
      readonly properties: readonly Property[];
      /** Returns the reason if none of them has a case. */
      readonly none?: (() => string) | undefined;
    }
  | { readonly kind: 'not-applicable'; readonly reason: string }
) & {
  /** What the suite cannot check, and what would enable it. @defaultValue nothing */
  readonly notChecked?: readonly { readonly what: string; readonly reason: string }[];
};

/** A group of properties on one theme. */
export interface Suite {
  /** Kebab-case: `invalid-bodies`. */
  readonly id: string;
  readonly title: string;
  /** Whether it sends plain requests, also to operations that affect the whole service. @defaultValue false */
  readonly sendsPlainly?: boolean;
  /** Plans the properties for a contract; called once, before the run. */
  readonly plan: (input: SuiteInput) => SuitePlan;
}

/**
 * Returns how a property can compare two services: by each exchange, or by the outcomes of whole cases. Random order,
 * framing and generated ids prevent a comparison.
 */
export function comparisonOf({
  sendsTogether = false,
  readsAnswers = false,
  receivesCallbacks = false,
  via = 'client',
}: Property): 'exchanges' | 'cases' | undefined {
  if (sendsTogether || receivesCallbacks || via !== 'client') return undefined;
  return readsAnswers ? 'cases' : 'exchanges';
}

/** Returns the suites of the given ids, or all if there are none. @throws ClocheError OPTION_INVALID for an unknown id */
export function pickSuites(all: readonly Suite[], ids: readonly string[]): readonly Suite[] {
  const unknown = ids.find((id) => all.every((suite) => suite.id !== id));
  if (unknown !== undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'find the suite',
      subject: unknown,
      reason: 'there is none of that name',
      remedy: `Choose among ${all.map(({ id }) => id).join(', ')}`,
    });
  }
  return ids.length === 0 ? all : all.filter(({ id }) => ids.includes(id));
}
