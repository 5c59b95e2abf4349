import { checkDuplicateKey } from '../check/checks/sequence.ts';
import type { Finding } from '../check/finding.ts';
import { classifyStatus } from '../check/reading/answer.ts';
import { isTurnedAway, resourceKey } from '../check/reading/request.ts';
import type { CheckContext, CheckedExchange } from '../check/reading/subject.ts';
import type { TrafficFinding } from '../events/events.ts';
import { headerValue, isSafeMethod } from '../http/message.ts';
import { jsonEqual } from '../json/value.ts';

/** A repeated key shows soon, or its first create is forgotten. */
const mostKept = 2_000;
const longestKept = 4_096;

/**
 * Creates what notices that a key is created again, and how that is answered: what a further exchange shows together with
 * those before. Another answer than that of the policy is drift only where nothing else explains it: the very body that
 * was accepted is turned away.
 */
export function createRepeatJudge(): (
  judged: CheckedExchange,
  when: { readonly startedAt: number; readonly isSideBySide: boolean; readonly context: CheckContext },
) => readonly Finding[] {
  let created = new Map<string, { readonly judged: CheckedExchange; readonly endedAt: number }>();

  return (judged, { startedAt, isSideBySide, context }) => {
    const { request, durationMs } = judged.exchange;
    const isAccepted = classifyStatus(judged.answer) === 'accepted';
    const key = resourceKey(judged);
    if (key === undefined) {
      if (isAccepted && !isSafeMethod(request.method) && judged.operation?.kind.kind !== 'create') {
        // What was created may be gone.
        created = new Map();
      }
      return [];
    }
    const name = `${request.target.split('?', 1)[0] ?? ''} ${key}`;
    const first = created.get(name);
    const isTooLong = request.body === undefined || request.body.length > longestKept;
    if (isTooLong || !isBlameless(judged, first?.judged)) return [];
    if (first === undefined) {
      if (isAccepted) {
        created.set(name, { judged, endedAt: startedAt + durationMs });
        const [oldest = ''] = created.size > mostKept ? created.keys() : [];
        created.delete(oldest);
      }
      return [];
    }
    if (isSideBySide || startedAt < first.endedAt) return [];
    return checkDuplicateKey([first.judged, judged], context).filter(
      ({ level }) => level === 'note' || isForItsKey(first.judged, judged),
    );
  };
}

/** Whether nothing but its key and its values could be held against a request. */
function isBlameless({ request, exchange }: CheckedExchange, first: CheckedExchange | undefined): boolean {
  const { credentials, body, accept, invalidParameters } = request;
  const authorization = headerValue(exchange.request.headers, 'authorization');
  // It may have come with just what let the first one in.
  const isTrusted =
    credentials === 'unjudged'
      ? first !== undefined && headerValue(first.exchange.request.headers, 'authorization') === authorization
      : credentials === 'good' || credentials === 'not-required';
  return (
    isTrusted &&
    body.kind === 'valid' &&
    body.grade.kind !== 'contested' &&
    accept === 'met' &&
    invalidParameters.length === 0
  );
}

/**
 * Whether a refusal can only be for the key: the very body was accepted before, and nothing is wrong with the credentials,
 * which are known to be good, or are nothing that the status speaks of.
 */
function isForItsKey(first: CheckedExchange, repeated: CheckedExchange): boolean {
  const { answer, request } = repeated;
  const [before, after] = [first.request.body, request.body];
  const status = answer.kind === 'response' ? answer.response.status : 0;
  const isTrusted = request.credentials !== 'unjudged' || status === 409 || status === 422;
  const isSameBody =
    before.kind === 'valid' && after.kind === 'valid' && jsonEqual(before.value, after.value);
  return isTrusted && isTurnedAway(repeated) && isSameBody;
}

/** Where a cause was seen, and the exchange that shows it best. */
interface Occurrence extends Pick<TrafficFinding, 'finding' | 'seenAt' | 'exchange' | 'requests'> {
  /** Whether each time the key of the request was one that may have existed. */
  readonly isOfChosenKeys: boolean;
}

/** Where each cause was seen, and the smallest exchange that shows it; it grows with the causes, not with the exchanges. */
export class Occurrences {
  readonly #sightings = new Map<string, Occurrence>();
  /** Where a cause was seen first and last, whatever of the request brought it about. */
  readonly #spans = new Map<string, { readonly first: string; readonly last: string }>();

  /** Says what is known of the cause by now. */
  add(shown: Pick<Occurrence, 'finding' | 'exchange' | 'requests'>, place: string): Occurrence {
    const { finding, exchange } = shown;
    const key = keyOf(finding);
    const known = this.#sightings.get(key);
    const best = known === undefined || isBetter(shown, known) ? shown : known;
    const occurrence: Occurrence = {
      finding: best.finding,
      exchange: best.exchange,
      requests: best.requests,
      seenAt: {
        first: known?.seenAt.first ?? place,
        last: place,
        example: best === known ? known.seenAt.example : place,
      },
      isOfChosenKeys: exchange.request.key === 'chosen' && (known?.isOfChosenKeys ?? true),
    };
    this.#sightings.set(key, occurrence);
    const cause = causeOf(finding);
    this.#spans.set(cause, { first: this.#spans.get(cause)?.first ?? place, last: place });
    return occurrence;
  }

  /** What is known of a cause. */
  of(finding: Finding): Occurrence | undefined {
    const occurrence = this.#sightings.get(keyOf(finding));
    // What a plain request shows stands for every other sighting of its cause.
    const span = finding.trigger === undefined ? this.#spans.get(causeOf(finding)) : undefined;
    return occurrence && { ...occurrence, seenAt: { ...occurrence.seenAt, ...span } };
  }
}

function causeOf({ check, operation, cause }: Finding): string {
  return [check, operation, cause].join('\0');
}

function keyOf(finding: Finding): string {
  return `${causeOf(finding)}\0${finding.trigger ?? ''}`;
}

/** Whether an exchange shows a cause better than another: as a violation, with fewer before it, or by being smaller. */
function isBetter(
  shown: Pick<Occurrence, 'finding' | 'exchange' | 'requests'>,
  known: typeof shown,
): boolean {
  if (shown.finding.level !== known.finding.level) return shown.finding.level === 'violation';
  if (shown.requests.length !== known.requests.length) return shown.requests.length < known.requests.length;
  return sizeOf(shown.exchange) < sizeOf(known.exchange);
}

function sizeOf({ exchange: { request, answer } }: CheckedExchange): number {
  const received = answer.kind === 'response' ? answer.response.body.length : 0;
  return request.target.length + (request.body?.length ?? 0) + received;
}
