import type { Contract, Operation } from '../contract/contract.ts';
import { statusName } from '../contract/responses.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { BehaviourId } from '../policy/behaviour.ts';
import { behaviours } from '../policy/behaviours/index.ts';
import type { Boundary } from './boundary.ts';

/** The ids of the checks that compare how several exchanges of a trace show an item. */
export const statefulCheckIds = [
  'read-after-write',
  'created-not-found',
  'location',
  'list-lacks',
  'list-repeats',
  'deleted-still-there',
  'replace-is-partial',
  'replace-not-idempotent',
  'put-status',
  'merge-patch',
  'spill',
  'page-overlap',
  'page-gap',
  'limit-ignored',
  'filter-ignored',
  'sort-ignored',
  'list-total',
  'write-only-shown',
  'read-only-written',
  'service-value',
  'parent-ignored',
  'safe-method-changes',
  'head-differs',
  'precondition-ignored',
  'lost-identity',
] as const;

/** The id of a check that compares how several exchanges of a trace show an item. */
export type StatefulCheckId = (typeof statefulCheckIds)[number];

const otherCheckIds = [
  'server-error',
  'timed-out',
  'connection-dropped',
  'not-http',
  'response-size',
  'too-slow',
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
  'callback-schema',
] as const;

/** The id of a check that Cloche contains. */
export type BuiltInCheckId = (typeof otherCheckIds)[number] | StatefulCheckId;

/** The stable id of a check, used in reports and baselines. The id of a user's own check starts with `x-`. */
export type CheckId = BuiltInCheckId | `x-${string}`;

/** The ids of the checks, in the order in which docs/checks.md describes them. */
export const checkIds: readonly BuiltInCheckId[] = [...otherCheckIds, ...statefulCheckIds];

/** The verdict on a request to which two services gave different responses. */
export type ParityVerdict =
  /** The response of the service under test contradicts the contract; the other response does not. */
  | { readonly kind: 'tested-wrong' }
  | { readonly kind: 'other-wrong' }
  | {
      readonly kind: 'silent';
      /** The policy behaviour that the contract does not specify, if the policy has one for it. */
      readonly question: BehaviourId | undefined;
      /**
       * The policy value that describes the service under test: the whole value, or the members that were observed.
       * Undefined if no value matches, or if one exchange is not enough to find it.
       */
      readonly answer: JsonValue | undefined;
      /** Another behaviour that has the same effect, if the service turns out to have another value for that one. */
      readonly unless?: BehaviourId;
    };

/** The comparison of the checked response with the response of another service to the same request. */
export interface Parity {
  /** The names of the two in reports: `the service`, `the mock`, `the other service`. */
  readonly tested: string;
  readonly other: string;
  /** The other response in words, without generated values: `400 application/json`. */
  readonly answered: string;
  readonly verdict: ParityVerdict;
}

/**
 * The level of a finding. Violation: the response contradicts the document or the configured policy. Warning: it
 * contradicts an RFC or good practice, and the document does not specify the behaviour. Note: the document does not
 * specify the behaviour, and the policy allows this response.
 */
export type Level = 'violation' | 'warning' | 'note';

/** The sentence that a response was checked against. */
export type Clause =
  | {
      readonly kind: 'document';
      /** The file that contains the place, if it is one that the document refers to. */
      readonly file?: string;
      readonly pointer: JsonPointer;
      readonly quote: string;
    }
  | { readonly kind: 'rfc'; readonly name: string; readonly section: string; readonly quote: string }
  | { readonly kind: 'policy'; readonly question: BehaviourId; readonly quote: string }
  /** A rule of a user's own check; `name` is its source: `API guidelines, section 4`. */
  | { readonly kind: 'rule'; readonly name: string; readonly quote: string };

/** A sentence of the document that may allow a response, so that what would be a violation is a warning. */
export interface Qualification {
  readonly pointer: JsonPointer;
  readonly quote: string;
}

/** The documentation of a check, for readers of its findings; docs/checks.md is generated from it. */
export interface CheckDocs {
  /** The heading of its findings. */
  readonly title: string;
  /** The sentence that it checks a response against: a place in the document, or an RFC and its section. */
  readonly place: string;
  /** The conditions under which it reports a finding, and exceptions. */
  readonly finds: string;
  /** A request and a response that lead to a finding; lines are separated as in HTTP. */
  readonly example: { readonly request: string; readonly answer: string };
}

/** The result of a check, as data; a report turns it into text. */
export interface Finding {
  readonly check: CheckId;
  readonly level: Level;
  /** The id of the operation, or the method and path of a request that the document does not declare. */
  readonly operation: string;
  readonly clause: Clause;
  /** The headline. @defaultValue the title of the check */
  readonly title?: string;
  /** The requirement of the clause, in words: `a declared status (200 or 400)`. */
  readonly expected: string;
  /** The response that was received: `500 text/html`. */
  readonly received: string;
  /**
   * Findings of one check with equal causes and triggers are one finding. Contains no seeds or generated values. The
   * cause is part of the id, and baselines contain ids, so its words never change.
   */
  readonly cause: string;
  /**
   * The part of the request that is needed to trigger the finding: `a body that is not JSON`. A finding of a plain
   * request has no trigger, and replaces other findings with the same cause.
   */
  readonly trigger?: string;
  /** Other possible triggers, if more than one thing in the request is unusual. */
  readonly otherTriggers?: readonly string[];
  readonly qualification?: Qualification;
  readonly boundary?: Boundary;
  readonly parity?: Parity;
  /** The documentation of a user's own check, as no catalogue contains it. */
  readonly docs?: CheckDocs;
}

/**
 * Returns the id of a finding: `server-error-6f1d0c3a9be2`. It depends on check, operation, cause and trigger. None of
 * them contains a seed, a resource id or a generated value, so two runs return the same id.
 */
export function findingId({ check, operation, cause, trigger = '' }: Finding): string {
  // A long text also makes the body long, so the place of the text is arbitrary.
  const stable = trigger.replace(/(?<=with a long text) at \S+/u, '');
  const name = hash(JSON.stringify([check, operation, cause, stable]));
  return `${check}-${name.toString(16).padStart(16, '0').slice(0, 12)}`;
}

/** FNV-1a, 64 bits: short, the same on every platform, and not meant to keep anything secret. */
function hash(text: string): bigint {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  }
  return value;
}

/** Returns a finding whose clause has the place as the user wrote it: in the document or in a file it refers to. */
export function locateFinding(finding: Finding, contract: Contract): Finding {
  const { clause } = finding;
  return clause.kind === 'document'
    ? { ...finding, clause: { ...clause, ...contract.placeOf(clause.pointer) } }
    : finding;
}

/** Lists the statuses that an operation declares, in words: `200, 400`. */
export function listStatuses({ responses }: Operation): string {
  return responses.map(({ status }) => statusName(status)).join(', ') || 'none';
}

/** Returns the clause that allows only the declared responses. */
export function quoteResponses(operation: Operation): Clause {
  return quoteDocument(appendPointer(operation.pointer, 'responses'), `declares ${listStatuses(operation)}`);
}

/** Returns the clause that is a place in the document. */
export function quoteDocument(pointer: JsonPointer, quote: string): Clause {
  return { kind: 'document', pointer, quote };
}

/** Returns the clause that is a sentence of an RFC; the place has the form `RFC 9110 §15.6`. */
export function quoteRfc(place: string, quote: string): Clause {
  const [name = '', section = ''] = place.split(' §');
  return { kind: 'rfc', name, section, quote };
}

/** Returns the clause that is a behaviour of the policy. */
export function quoteBehaviour(question: BehaviourId): Clause {
  return { kind: 'policy', question, quote: behaviours[question].question };
}
