import type { DeclaredResponse } from '../../contract/contract.ts';
import type { LeftOut } from '../../contract/select-operations.ts';
import type { NotChecked, OperationCoverage } from '../events.ts';
import type { KeywordTally } from './schema-coverage.ts';

/** Explains why a declared response never came, as far as its status shows it. */
export function explainUnseenResponse({ status }: Pick<DeclaredResponse, 'status'>): string {
  if (status.kind === 'default') {
    return 'every status that came is declared by itself, or came to a request that reached no operation';
  }
  if (status.kind === 'exact') return explainStatus(status.status);
  return status.hundreds === 5
    ? explainStatus(500)
    : `nothing that was sent was answered with a ${status.hundreds}XX that is not declared by itself`;
}

function explainStatus(status: number): string {
  if (status >= 500) return 'no request made the service fail, as it should be';
  if (status === 429) return 'the run never met a limit of the service';
  if (status === 304) return 'no conditional reads are sent';
  return 'nothing that was sent was answered so';
}

/** Types that a parameter cannot break, because every text can be read as a value of them. */
const readFromAnyText = ['string', 'array', 'object'];

/** Explains why a keyword was never met, or never broken by a request; undefined if it was, or if that is good. */
export function explainKeyword({ of, keyword, value, met, broken }: KeywordTally): string | undefined {
  if (met === 0) {
    return of === 'response'
      ? 'no answer held what it is about'
      : 'no request that its schema accepts held what it is about';
  }
  if (broken > 0 || of === 'response') return undefined;
  if (of === 'parameter' && keyword === 'type' && readFromAnyText.some((type) => type === value)) {
    return 'any text reads as a value of this type';
  }
  return keyword === 'format'
    ? 'nothing that leaves the format was sent; formats assert by convention alone'
    : 'no request that was sent breaks it';
}

/**
 * Why requests were not sent: the time was over, the limit of created items was reached, the run was one shard, or it
 * left the operation out; undefined if the run sent all.
 */
export type UnsentCause = 'time' | 'creates' | 'shard' | LeftOut['why'] | undefined;

/** The responses of one operation to valid requests. */
interface OperationSeen {
  readonly requests: number;
  /** The number of requests that it should accept. @defaultValue not known: some */
  readonly valid?: number;
  readonly accepted: number;
  readonly isNeverFound: boolean;
  /** Whether it requires credentials. */
  readonly isGuarded?: boolean;
  readonly unsent?: UnsentCause | undefined;
  /** The statuses of those responses. */
  readonly statuses: ReadonlySet<number>;
}

/**
 * Explains why an operation never returned a success, and what would change that. Operations with the same cause have
 * the same text.
 *
 * @param problem - the reason why no valid request can be generated
 */
export function explainOperation(of: OperationSeen, problem: string | undefined): string | undefined {
  const { requests, valid, accepted, isNeverFound, isGuarded = false, statuses } = of;
  const { unsent } = of;
  if (requests > 0 && problem !== undefined) return `no valid request was sent: ${problem}`;
  if (requests === 0)
    return problem === undefined || unsent === 'method' ? explainUnsent(unsent) : `not sent: ${problem}`;
  if (accepted > 0) return undefined;
  const seen = [...statuses];
  const every = (test: (status: number) => boolean): boolean => seen.length > 0 && seen.every(test);
  if (isNeverFound && seen.every((status) => status === 404)) return neverFound;
  // An operation without security that answers 401 checks its body, as a login does.
  if (of.isGuarded !== false && every((status) => status === 401 || status === 403)) {
    return `it only ever answered ${seen.toSorted((left, right) => left - right).join(' and ')}: give --token, one that may use it`;
  }
  if (every((status) => status >= 500)) return 'it failed at every request';
  if (every((status) => status === 405 || status === 501)) return 'the service does not have it';
  if (seen.length === 0) {
    if (valid === 0 && (unsent === undefined || unsent === 'shard')) return onlyInvalid;
    let remedy = isGuarded ? 'give --token, or fix what is found' : 'fix what is found';
    if (unsent === 'creates') remedy = 'allow more items with --max-creates';
    if (unsent === 'time') remedy = 'give more time with --max-time';
    return `no request that it should accept was answered: ${remedy}`;
  }
  const refused = `it accepted no request that it should accept (${seen.toSorted((left, right) => left - right).join(', ')})`;
  const isOfTag = seen.includes(412) || seen.includes(428);
  if (isOfTag && every((status) => [401, 403, 404, 412, 428].includes(status))) return `${refused}: ${noTag}`;
  if (isNeverFound) return `${refused}: ${namesNothing}`;
  return `${refused}: its schemas say less than it demands, so give what it accepts under values in the configuration, or it is at fault`;
}

/** The reason for an operation that received only invalid requests in a run or a shard. */
export const onlyInvalid = 'no property of this run sends a request that it should accept';

const noTag =
  'it demands an If-Match, and no ETag in its responses matches: declare the parameter, or give its value under values in the configuration, or it is at fault';
const namesNothing = 'give its path parameters an example in the document, of what exists';

/** The reason for an operation that received no request in one shard. Another shard may test it. */
export const unsentInShard = 'not sent: no property of this shard sends requests to it';

function explainUnsent(unsent: UnsentCause): string {
  if (unsent === 'time') return unsentInTime;
  if (unsent === 'creates') return 'not sent, because of --max-creates';
  if (unsent === 'method') return 'not sent: --read-only';
  if (unsent === 'items-of-others')
    return 'not sent: the run did not create what it changes: give --unsafe-methods';
  return unsent === 'shard' ? unsentInShard : 'not sent: no property of this run sends requests to it';
}

/** The reason for an operation that received no request before the time was over. */
export const unsentInTime = 'not sent: the time was over: give more with --max-time';

/** The reason for an operation that was not tested because its path was never found. */
export const neverFound: string = `it only ever answered 404: ${namesNothing}`;

/** Returns the operations that were not tested because their paths were never found. */
export function whatWasNotFound(coverage: readonly OperationCoverage[]): readonly NotChecked[] {
  return coverage.flatMap(({ operation, reason }) =>
    reason === neverFound ? [{ what: operation, reason }] : [],
  );
}
