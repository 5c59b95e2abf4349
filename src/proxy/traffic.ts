import type { Contract } from '../contract/contract.ts';
import { declaresExactly } from '../contract/responses.ts';
import type { Route } from '../contract/router.ts';
import type { NotChecked } from '../events/events.ts';
import type { Exchange, Framing } from '../http/message.ts';

/** An exchange that somebody else made. */
export interface Traffic {
  /** Counts from 1, in the order in which the requests were seen. */
  readonly number: number;
  /** Where it is found, in words: `entry 3 of session.har`. @defaultValue `exchange` and its number */
  readonly place?: string;
  readonly exchange: Exchange;
  /** How the content of the request was framed. @defaultValue 'content-length' */
  readonly framing?: Framing;
  /** When the request was seen, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether another request was under way meanwhile; a key that both name may then be of either. */
  readonly isSideBySide: boolean;
  /** Whether one of the two that were under way together may change something, so that nobody knows which came first. */
  readonly isBesideChange: boolean;
  /** Whether there may have been credentials that a browser left out of what it recorded. @defaultValue false */
  readonly mayHideCredentials?: boolean;
  /** Why it cannot be judged, in words, as far as the one who saw it knows: `its body is longer than 1 MiB`. */
  readonly unjudged: string | undefined;
}

/** Statuses that speak of the moment, not of the request (RFC 9110 §15.5.9, §15.6.4, RFC 8470 §5.2, RFC 6585 §4). */
const passing = [408, 425, 429, 503];
/** Fields that make a request conditional, or one for a part (RFC 9110 §13.1, §14.2). */
const conditional = /^(?:if-match|if-none-match|if-modified-since|if-unmodified-since|if-range|range)$/iu;

/** Why an exchange that somebody else made says nothing about the contract, in words; undefined where it can be judged. */
export function whyUnjudged({ request, answer }: Exchange, route: Route | undefined): string | undefined {
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
 * What passing traffic shows to nobody, whatever passes: for that a run sends requests of its own. Every good token may be
 * known, and an accepted create may say that its key was free.
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
