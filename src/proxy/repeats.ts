import { checkDuplicateKey } from '../check/checks/sequence.ts';
import type { Finding } from '../check/finding.ts';
import { classifyStatus } from '../check/classify/answer.ts';
import { isRejected, resourceKey } from '../check/classify/request.ts';
import type { CheckContext, CheckedExchange } from '../check/classify/subject.ts';
import type { TrafficFinding } from '../events/events.ts';
import { headerValue, isSafeMethod } from '../http/message.ts';
import { jsonEqual } from '../json/value.ts';

/** Maximum number of remembered creates, and maximum bytes of their bodies: a repeated id usually comes soon. */
const mostKept = 2_000;
const longestKept = 4_096;

/**
 * Creates a judge that detects when an id is created again, and checks the response together with the earlier
 * exchanges. A response that differs from the policy is a violation only if nothing else explains it: the service
 * rejects the same body that it accepted before.
 */
export function createRepeatJudge(): (
  judged: CheckedExchange,
  when: { readonly startedAt: number; readonly isBesideChange: boolean; readonly context: CheckContext },
) => readonly Finding[] {
  let created = new Map<string, { readonly judged: CheckedExchange; readonly endedAt: number }>();

  return (judged, { startedAt, isBesideChange, context }) => {
    const { request, durationMs } = judged.exchange;
    const isAccepted = classifyStatus(judged.answer) === 'accepted';
    const key = resourceKey(judged);
    if (key === undefined) {
      if (isAccepted && !isSafeMethod(request.method) && judged.operation?.kind.kind !== 'create') {
        // The created resource may be gone.
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
    if (isBesideChange || startedAt < first.endedAt) return [];
    return checkDuplicateKey([first.judged, judged], context).filter(
      ({ level }) => level === 'note' || isForItsKey(first.judged, judged),
    );
  };
}

/** Returns whether only the id and the values of a request can be the reason to reject it. */
function isBlameless({ request, exchange }: CheckedExchange, first: CheckedExchange | undefined): boolean {
  const { credentials, body, accept, invalidParameters } = request;
  const authorization = headerValue(exchange.request.headers, 'authorization');
  // It may have the credentials with which the first one was accepted.
  const isTrusted =
    credentials === 'unjudged'
      ? first !== undefined && headerValue(first.exchange.request.headers, 'authorization') === authorization
      : credentials === 'good' || credentials === 'not-required';
  return (
    isTrusted &&
    body.kind === 'valid' &&
    body.grade.kind !== 'ambiguous' &&
    accept === 'met' &&
    invalidParameters.length === 0
  );
}

/**
 * Returns whether a rejection can only be due to the id: the same body was accepted before, and the credentials are
 * known to be valid, or the status is not about them.
 */
function isForItsKey(first: CheckedExchange, repeated: CheckedExchange): boolean {
  const { answer, request } = repeated;
  const [before, after] = [first.request.body, request.body];
  const status = answer.kind === 'response' ? answer.response.status : 0;
  const isTrusted = request.credentials !== 'unjudged' || status === 409 || status === 422;
  const isSameBody =
    before.kind === 'valid' && after.kind === 'valid' && jsonEqual(before.value, after.value);
  return isTrusted && isRejected(repeated) && isSameBody;
}

/** The places of a cause, and the exchange that shows it best. */
interface Occurrence extends Pick<TrafficFinding, 'finding' | 'seenAt' | 'exchange' | 'requests'> {
  /** Whether in each occurrence the id of the request may have existed. */
  readonly isOfChosenKeys: boolean;
}

/** The places of each cause, and its smallest exchange. The memory used grows with the causes, not the exchanges. */
export class Occurrences {
  readonly #occurrences = new Map<string, Occurrence>();
  /** The first and the last place of a cause, with any trigger. */
  readonly #spans = new Map<string, { readonly first: string; readonly last: string }>();

  /** Adds an occurrence, and returns the present knowledge of its cause. */
  add(shown: Pick<Occurrence, 'finding' | 'exchange' | 'requests'>, place: string): Occurrence {
    const { finding, exchange } = shown;
    const key = keyOf(finding);
    const known = this.#occurrences.get(key);
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
      isOfChosenKeys: ['chosen', 'sent'].includes(exchange.request.key) && (known?.isOfChosenKeys ?? true),
    };
    this.#occurrences.set(key, occurrence);
    const cause = causeOf(finding);
    this.#spans.set(cause, { first: this.#spans.get(cause)?.first ?? place, last: place });
    return occurrence;
  }

  /** Returns the knowledge of a cause. */
  of(finding: Finding): Occurrence | undefined {
    const occurrence = this.#occurrences.get(keyOf(finding));
    // The finding of a plain request represents every other occurrence of its cause.
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

/** Returns whether an exchange shows a cause better: as a violation, with fewer earlier requests, or less content. */
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
