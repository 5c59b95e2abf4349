import type { CheckContext } from '../check/check-context.ts';
import { checkDuplicateKey } from '../check/duplicate-key.ts';
import type { Finding } from '../check/finding.ts';
import type { Judged } from '../check/judged.ts';
import { isTurnedAway } from '../check/is-turned-away.ts';
import { resourceKey } from '../check/resource-key.ts';
import { classifyStatus } from '../check/status-class.ts';
import { headerValue } from '../http/header-list.ts';
import { jsonEqual } from '../json/json-equal.ts';

/** A repeated key shows soon, or its first create is forgotten. */
const mostKept = 2_000;
const longestKept = 4_096;
/** What cannot take anything away (RFC 9110 §9.2.1). */
const safe = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

interface Created {
  readonly judged: Judged;
  readonly endedAt: number;
}

/** Whether nothing but its key and its values could be held against a request. */
function isBlameless({ request }: Judged): boolean {
  const { credentials, body, accept, invalidParameters } = request;
  return (
    (credentials === 'good' || credentials === 'not-required') &&
    body.kind === 'valid' &&
    body.grade.kind !== 'contested' &&
    accept === 'met' &&
    invalidParameters.length === 0
  );
}

/** Whether a request came with just what let another one in. */
function hasSameCredentials(left: Judged, right: Judged): boolean {
  const of = ({ exchange: { request } }: Judged): string | undefined =>
    headerValue(request.headers, 'authorization');
  return of(left) === of(right);
}

/**
 * Whether a refusal can only be for the key: the very body was taken before, and nothing is wrong with the credentials,
 * which are known to be good, or are nothing that the status speaks of.
 */
function isForItsKey(first: Judged, repeated: Judged): boolean {
  const { answer, request } = repeated;
  const status = answer.kind === 'response' ? answer.response.status : 0;
  const isTrusted = request.credentials !== 'unjudged' || status === 409 || status === 422;
  return isTrusted && isTurnedAway(repeated) && hasSameBody(first, repeated);
}

function hasSameBody(left: Judged, right: Judged): boolean {
  const [before, after] = [left.request.body, right.request.body];
  return before.kind === 'valid' && after.kind === 'valid' && jsonEqual(before.value, after.value);
}

/**
 * Creates what notices that a key is created again, and how that is answered. Another answer than the one that was
 * told is drift only where nothing else explains it: the very body that was taken is turned away.
 *
 * @returns what a further exchange shows together with those before
 */
export function createRepeatJudge(): (
  judged: Judged,
  when: { readonly startedAt: number; readonly isSideBySide: boolean; readonly context: CheckContext },
) => readonly Finding[] {
  let created = new Map<string, Created>();

  function remember(name: string, entry: Created): void {
    created.set(name, entry);
    const [oldest] = created.keys();
    if (created.size > mostKept && oldest !== undefined) {
      created.delete(oldest);
    }
  }

  return (judged, { startedAt, isSideBySide, context }) => {
    const { request, durationMs } = judged.exchange;
    const isTaken = classifyStatus(judged.answer) === 'accepted';
    const key = resourceKey(judged);
    if (key === undefined) {
      if (isTaken && !safe.has(request.method) && judged.operation?.kind.kind !== 'create') {
        // What was created may be gone.
        created = new Map();
      }
      return [];
    }
    const name = `${request.target.split('?', 1)[0] ?? ''} ${key}`;
    const first = created.get(name);
    const { credentials } = judged.request;
    const isKnown =
      first !== undefined && credentials === 'unjudged' && hasSameCredentials(first.judged, judged);
    const trusted: Judged = isKnown
      ? { ...judged, request: { ...judged.request, credentials: 'good' } }
      : judged;
    if (!isBlameless(trusted) || request.body === undefined || request.body.length > longestKept) {
      return [];
    }
    if (first === undefined) {
      if (isTaken) {
        remember(name, { judged, endedAt: startedAt + durationMs });
      }
      return [];
    }
    if (isSideBySide || startedAt < first.endedAt) {
      return [];
    }
    return checkDuplicateKey([first.judged, judged], context).filter(
      ({ level }) => level === 'observation' || isForItsKey(first.judged, judged),
    );
  };
}
