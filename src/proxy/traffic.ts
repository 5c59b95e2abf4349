import type { Contract } from '../contract/contract.ts';
import { declaresExactly } from '../contract/responses.ts';
import type { Route } from '../contract/router.ts';
import type { NotChecked } from '../events/events.ts';
import type { Exchange, Framing } from '../http/message.ts';

/** An exchange of another client. */
export interface Traffic {
  /** Counts from 1, in the order of the requests. */
  readonly number: number;
  /** Its place, in words: `entry 3 of session.har`. @defaultValue `exchange` and its number */
  readonly place?: string;
  readonly exchange: Exchange;
  /** The framing of the content of the request. @defaultValue 'content-length' */
  readonly framing?: Framing;
  /** The time of the request, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether one of two requests in flight at the same time may change something, so their order is unknown. */
  readonly isBesideChange: boolean;
  /** Whether a browser may have left credentials out of the recording. @defaultValue false */
  readonly mayHideCredentials?: boolean;
  /** The reason why it cannot be judged, if the observer knows one: `its body is longer than 1 MiB`. */
  readonly unjudged: string | undefined;
}

/** Statuses about the moment, not the request (RFC 9110 §15.5.9, §15.6.4, RFC 8470 §5.2, RFC 6585 §4). */
const passing = [408, 425, 429, 503];
/** Fields of conditional requests, and of requests for a part (RFC 9110 §13.1, §14.2). */
const conditional = /^(?:if-match|if-none-match|if-modified-since|if-unmodified-since|if-range|range)$/iu;

/** Returns why another client's exchange says nothing about the contract; undefined if it can be judged. */
export function whyUnchecked({ request, answer }: Exchange, route: Route | undefined): string | undefined {
  if (route === undefined) return 'its path is not in the document';
  if (answer.kind === 'unreachable') return 'no connection to the service came about';
  if (answer.kind !== 'response') return undefined;
  const { status } = answer.response;
  const operation = route.operations.get(request.method);
  if (declaresExactly(operation, status)) return undefined;
  if (status === 101 || request.method === 'CONNECT') return 'the connection became one of another protocol';
  if (passing.includes(status)) return 'the service put it off (408, 425, 429 or 503)';
  const isConditional = request.headers.some(([name]) => conditional.test(name));
  return status === 304 || (isConditional && [206, 412, 416].includes(status))
    ? 'the answer is about a copy that the client has (304), or the request conditional'
    : undefined;
}

/**
 * Lists the properties that no passing traffic can show, because they need requests of a run. `known`: every valid
 * token may be known, and an accepted create may show that its id was free.
 */
export function listUnseen(
  { operations }: Pick<Contract, 'operations'>,
  known: { readonly everyToken: boolean; readonly freshKeys: boolean },
): readonly NotChecked[] {
  const unseen: NotChecked[] = [];
  if (!known.everyToken && operations.some(({ security }) => security.flat().length > 0)) {
    unseen.push({
      what: 'tokens that the service should not take',
      reason:
        'which are good is not known; --token names one that is, and --answer accepted-tokens=listed says that no other is',
    });
  }
  const hasKeys = operations.some(({ kind }) => kind.kind === 'create' && kind.key.kind === 'client');
  if (hasKeys && !known.freshKeys) {
    unseen.push({
      what: 'whether a create answers with what was sent',
      reason: 'its id may have existed; a policy that answers duplicate-key would settle it',
    });
  }
  unseen.push({
    what: 'what valid requests are refused for, and for certain what takes several requests to show',
    reason:
      'it is unknown what the service held before, and who else changes it; cloche test sends such requests with ids of its own',
  });
  return unseen;
}
