import type { Contract, Operation } from '../contract/contract.ts';
import { statusName } from '../contract/responses.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { QuestionId } from '../policy/question.ts';
import { questions } from '../policy/questions/index.ts';
import type { Boundary } from './boundary.ts';

const lifeCycleCheckIds = [
  'read-after-write',
  'created-not-found',
  'location',
  'list-lacks',
  'list-repeats',
  'deleted-still-there',
  'replace-is-partial',
  'replace-not-idempotent',
  'merge-patch',
  'spill',
  'page-overlap',
  'page-gap',
  'limit-ignored',
  'filter-ignored',
  'write-only-shown',
  'read-only-written',
  'parent-ignored',
  'safe-method-changes',
  'head-differs',
  'precondition-ignored',
  'lost-identity',
] as const;

/** The id of a check of what the exchanges of a trace show together of items. */
export type LifeCycleCheckId = (typeof lifeCycleCheckIds)[number];

const otherCheckIds = [
  'server-error',
  'timed-out',
  'connection-dropped',
  'not-http',
  'response-size',
  'content-length',
  'chunked-content',
  'transfer-encoding',
  'bytes-after-answer',
  'bodiless-status',
  'status-range',
  'undeclared-status',
  'response-media-type',
  'response-json',
  'response-schema',
  'response-header',
  'www-authenticate',
  'allow',
  'invalid-body-accepted',
  'malformed-body-accepted',
  'media-type-accepted',
  'invalid-parameter-accepted',
  'credentials-ignored',
  'credential-spelling',
  'media-type-spelling',
  'undeclared-constraint',
  'int64-range',
  'echo',
  'never-succeeds',
  'left-open',
  'parity',
  'drift',
  'refused-leaves-trace',
  'twin-keys',
  'duplicate-key',
  'cross-talk',
  'equal-requests',
  'forgotten-key',
  'race',
] as const;

/** The id of a check of Cloche. */
export type BuiltInCheckId = (typeof otherCheckIds)[number] | LifeCycleCheckId;

/** The stable name of a check; reports and baselines use it. The id of a user's own check starts with `x-`. */
export type CheckId = BuiltInCheckId | `x-${string}`;

/** The stable names of the checks, in the order in which docs/checks.md describes them. */
export const checkIds: readonly BuiltInCheckId[] = [...otherCheckIds, ...lifeCycleCheckIds];

/** What a request says that two services answered differently, held against the contract. */
export type ParityVerdict =
  /** The answer of the service under test contradicts the contract, that of the other does not. */
  | { readonly kind: 'tested-wrong' }
  | { readonly kind: 'other-wrong' }
  | {
      readonly kind: 'silent';
      /** The question that the contract does not answer, if there is one for it. */
      readonly question: QuestionId | undefined;
      /**
       * How a policy says what the service under test does: the whole answer, or those members of it that were
       * seen. Undefined where no answer of the question does, or none could be read from one exchange.
       */
      readonly answer: JsonValue | undefined;
      /** Another question that says as much, where the service turns out to answer that one differently. */
      readonly unless?: QuestionId;
    };

/** How the answer of another service, which was sent the same request, stands beside the one that was judged. */
export interface Parity {
  /** What reports call the two: `the service`, `the mock`, `the other service`. */
  readonly tested: string;
  readonly other: string;
  /** What it answered, in words, free of generated values: `400 application/json`. */
  readonly answered: string;
  readonly verdict: ParityVerdict;
}

/**
 * How much a finding says (violation: the answer contradicts the document or the policy that the run was
 * told; warning: it contradicts an RFC or good practice where the document is silent; note: the
 * document is silent and the answer is one of those that the policy lists).
 */
export type Level = 'violation' | 'warning' | 'note';

/** The sentence that an answer is held against. */
export type Clause =
  | {
      readonly kind: 'document';
      /** The file that the place is in, where it is not in the document itself but in one that it refers to. */
      readonly file?: string;
      readonly pointer: JsonPointer;
      readonly quote: string;
    }
  | { readonly kind: 'rfc'; readonly name: string; readonly section: string; readonly quote: string }
  | { readonly kind: 'policy'; readonly question: QuestionId; readonly quote: string }
  /** A rule of a user's own check; `name` says where it stands: `API guidelines, section 4`. */
  | { readonly kind: 'rule'; readonly name: string; readonly quote: string };

/** The documentation of a check, for readers of its findings; docs/checks.md is generated from it. */
export interface CheckDocs {
  /** What it has found, as the heading of its finding. */
  readonly title: string;
  /** The sentence that it holds an answer against: a place in the document, or an RFC and its section. */
  readonly place: string;
  /** When it finds something, and when not. */
  readonly finds: string;
  /** A request and an answer that it finds something in; lines are separated as in HTTP. */
  readonly example: { readonly request: string; readonly answer: string };
}

/** What a check concludes: data, which a report makes text of. */
export interface Finding {
  readonly check: CheckId;
  readonly level: Level;
  /** The id of the operation, or the method and path where the document has none. */
  readonly operation: string;
  readonly clause: Clause;
  /** The headline. @defaultValue the title of the check */
  readonly title?: string;
  /** What the clause asks for, in words: `a declared status (200 or 400)`. */
  readonly expected: string;
  /** What came: `500 text/html`. */
  readonly received: string;
  /**
   * Findings of one check with equal causes and triggers are one finding; free of seeds and generated values. It is part of the
   * id, which baselines hold: its words are never changed.
   */
  readonly cause: string;
  /**
   * What of the request brings it about, where it has to be there: `a body that is not JSON`. What a plain
   * request shows has none, and stands for what others show of the same cause.
   */
  readonly trigger?: string;
  /** What else of the request might bring it about, where it holds more than one thing that is odd. */
  readonly otherTriggers?: readonly string[];
  readonly boundary?: Boundary;
  readonly parity?: Parity;
  /** The documentation of a user's own check, which no catalogue has. */
  readonly docs?: CheckDocs;
}

/**
 * Names a finding by its check, its operation, its cause and its trigger, none of which holds a seed, a key or a
 * generated value, so that two runs call it the same: `server-error-6f1d0c3a9be2`.
 */
export function findingId({ check, operation, cause, trigger = '' }: Finding): string {
  // A text is long for the body that it makes long as well, so that where it stands is chance.
  const stable = trigger.replace(/(?<=with a long text) at \S+/u, '');
  const name = hash(JSON.stringify([check, operation, cause, stable]));
  return `${check}-${name.toString(16).padStart(16, '0').slice(0, 12)}`;
}

/** FNV-1a, 64 bits: short, the same everywhere, and not meant to keep anything secret. */
function hash(text: string): bigint {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  }
  return value;
}

/** A finding that names the place of its clause as the user wrote it: in the document, or in a file it refers to. */
export function locateFinding(finding: Finding, contract: Contract): Finding {
  const { clause } = finding;
  return clause.kind === 'document'
    ? { ...finding, clause: { ...clause, ...contract.placeOf(clause.pointer) } }
    : finding;
}

/** The statuses that an operation declares, in words: `200, 400`. */
export function listStatuses({ responses }: Operation): string {
  return responses.map(({ status }) => statusName(status)).join(', ') || 'none';
}

/** The clause by which only the declared responses may come. */
export function quoteResponses(operation: Operation): Clause {
  return quoteDocument(appendPointer(operation.pointer, 'responses'), `declares ${listStatuses(operation)}`);
}

/** The clause that is a place in the document. */
export function quoteDocument(pointer: JsonPointer, quote: string): Clause {
  return { kind: 'document', pointer, quote };
}

/** The clause that is a sentence of an RFC, whose place is given as `RFC 9110 §15.6`. */
export function quoteRfc(place: string, quote: string): Clause {
  const [name = '', section = ''] = place.split(' §');
  return { kind: 'rfc', name, section, quote };
}

/** The clause that is an answer of the policy, or the lack of one. */
export function quoteQuestion(question: QuestionId): Clause {
  return { kind: 'policy', question, quote: questions[question].question };
}
