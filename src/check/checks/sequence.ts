import { isJsonObject, jsonEqual, type JsonValue } from '../../json/value.ts';
import { describeAnswer, type Policy } from '../../policy/policy.ts';
import type { DuplicateKeyAnswer } from '../../policy/questions/duplicate-key.ts';
import { boundsValues } from '../boundary.ts';
import { describeReceived, describeRequest, nameOperation } from '../describe.ts';
import type { Finding } from '../finding.ts';
import { classifyStatus, declaresExactly } from '../reading/answer.ts';
import { isPlainAndTrusted, isTurnedAway, resourceKey } from '../reading/request.ts';
import { contextOf, type Judged, type TraceCheck } from '../reading/subject.ts';

type Seen = DuplicateKeyAnswer | 'another status';

function content({ answer }: Judged): JsonValue | undefined {
  return answer.kind === 'response' && answer.content.kind === 'json' ? answer.content.json.value : undefined;
}

function sent({ request }: Judged): JsonValue | undefined {
  return request.body.kind === 'valid' ? request.body.value : undefined;
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === undefined || right === undefined ? left === right : jsonEqual(left, right);
}

/**
 * Which resource an answer shows, by the properties that were sent differently and that the first answer
 * gave back as they had been sent; `unknown` where there is none, or they disagree.
 */
function readShown(first: Judged, repeated: Judged): 'first' | 'repeated' | 'unknown' {
  const [before, after] = [sent(first), sent(repeated)];
  const names = isJsonObject(before) ? Object.keys(before) : [];
  const telling = names.filter(
    (name) =>
      !isSame(member(before, name), member(after, name)) &&
      isSame(member(before, name), member(content(first), name)),
  );
  const shows = (body: JsonValue | undefined): boolean =>
    telling.length > 0 &&
    telling.every((name) => isSame(member(body, name), member(content(repeated), name)));
  return shows(before) ? 'first' : shows(after) ? 'repeated' : 'unknown';
}

/** Which answers of the policy a repeated key's answer agrees with. */
function readAnswers(first: Judged, repeated: Judged): readonly Seen[] {
  if (repeated.answer.kind === 'none') return [];
  const { status } = repeated.answer.response;
  if (classifyStatus(repeated.answer) === 'accepted') {
    const shown = readShown(first, repeated);
    return [
      ...(shown === 'repeated' ? [] : (['keep-first'] as const)),
      ...(shown === 'first' ? [] : (['replace', 'accept'] as const)),
    ];
  }
  const byStatus: Readonly<Record<number, Seen>> = { 400: 'refuse', 409: 'conflict', 422: 'unprocessable' };
  return [byStatus[status] ?? 'another status'];
}

/** Whether an answer is the one that the policy gives, as far as the document leaves the matter open. */
function holds(repeated: Judged, seen: readonly Seen[], policy: Policy): boolean {
  const told = policy['duplicate-key'];
  const { answer, operation } = repeated;
  const isRefused = classifyStatus(answer) === 'refused';
  if (seen.includes(told) || (isRefused && (told === 'refuse' || boundsValues(policy)))) return true;
  return seen.includes('conflict') && declaresExactly(operation, 409);
}

/**
 * Reads what becomes of a key that is sent again: drift where the run was told another answer, else an
 * observation. The first exchange of the trace creates, the last repeats its key with other values.
 */
export const checkDuplicateKey: TraceCheck = (trace, context): readonly Finding[] => {
  const [first] = trace;
  const repeated = trace.at(-1);
  if (
    first === undefined ||
    repeated === undefined ||
    first === repeated ||
    classifyStatus(first.answer) !== 'accepted'
  ) {
    return [];
  }
  const seen = readAnswers(first, repeated);
  const [answer] = seen;
  if (answer === undefined) return [];
  const { told, policy } = contextOf(context, repeated.operation);
  const drifts = told.has('duplicate-key') && !holds(repeated, seen, policy);
  return [
    {
      check: drifts ? 'drift' : 'duplicate-key',
      level: drifts ? 'violation' : 'observation',
      operation: nameOperation(repeated),
      clause: {
        kind: 'policy',
        question: 'duplicate-key',
        quote: 'What happens when the key exists already?',
      },
      expected: drifts
        ? describeAnswer('duplicate-key', policy['duplicate-key'])
        : 'any of the answers that the question allows',
      received: drifts
        ? describeReceived(repeated.answer)
        : `${seen.join(' or ')} (${describeReceived(repeated.answer)})`,
      cause: `duplicate-key ${answer}`,
    },
  ];
};

/**
 * What a key is to a store that keeps what it was given and nothing else (free: nothing named it; named: only
 * requests that were turned away did; taken: something was created under it; unknown: the answer did not say).
 */
type KeyState = 'free' | 'named' | 'taken' | 'unknown';

/** An exchange, and what its key was when its request was sent. */
interface StoreStep {
  readonly judged: Judged;
  /** Undefined where the client names none. */
  readonly key: string | undefined;
  readonly before: KeyState;
  /** The last exchange that named the key before. */
  readonly namedBy: Judged | undefined;
}

interface Known {
  readonly state: KeyState;
  readonly by: Judged;
}

function learn(before: KeyState, judged: Judged): Known {
  if (before === 'taken' || classifyStatus(judged.answer) === 'accepted') {
    return { state: 'taken', by: judged };
  }
  return { state: isTurnedAway(judged) && before !== 'unknown' ? 'named' : 'unknown', by: judged };
}

function textOf({ exchange }: Judged): string {
  return new TextDecoder().decode(exchange.request.body ?? new Uint8Array());
}

/**
 * Follows a trace with the simplest store there is: a map from keys to whether something was created under them.
 * Checks hold the answers of a service against it.
 *
 * @param trace - requests that were sent one after the other, in that order
 */
export function followStore(trace: readonly Judged[]): readonly StoreStep[] {
  const keys = new Map<string, Known>();
  // A service may find a key in a body that cannot be read here.
  const unread: { readonly text: string; readonly known: Known }[] = [];
  return trace.map((judged) => {
    const key = resourceKey(judged);
    if (key === undefined) {
      unread.push({ text: textOf(judged), known: learn('free', judged) });
      return { judged, key, before: 'free', namedBy: undefined };
    }
    const place = `${judged.exchange.request.target} ${key}`;
    const known = keys.get(place) ?? unread.find(({ text }) => text.includes(key))?.known;
    const before = known?.state ?? 'free';
    keys.set(place, learn(before, judged));
    return { judged, key, before, namedBy: known?.by };
  });
}

function sameBytes(left: Uint8Array | undefined, right: Uint8Array | undefined): boolean {
  return left === undefined || right === undefined
    ? left === right
    : left.length === right.length && left.every((byte, index) => byte === right[index]);
}

/** Whether two requests are one byte for byte, their keys included. */
function sameRequest(
  { exchange: { request: left } }: Judged,
  { exchange: { request: right } }: Judged,
): boolean {
  return (
    left.method === right.method &&
    left.target === right.target &&
    sameBytes(left.body, right.body) &&
    JSON.stringify(left.headers) === JSON.stringify(right.headers)
  );
}

/** Statuses that speak of the moment or of what others do, though a document may declare them. */
const passing = new Set([408, 409, 423, 425, 429]);

/** A status that is not declared is a finding of its own. */
function isRefused({ answer }: Judged): boolean {
  return (
    classifyStatus(answer) === 'refused' && answer.kind === 'response' && !passing.has(answer.response.status)
  );
}

/**
 * Finds a plain request that is refused and then, sent again byte for byte, is taken, though nothing was ever
 * created under its key (or, where the service makes the keys, by an equal request). Only this is concluded from:
 * what is refused each time may be known to the store since last week, and what was taken before may have to be
 * unique.
 *
 * @example a create that is answered 400 every second time
 */
export const checkEqualRequests: TraceCheck = (trace) => {
  const steps = followStore(trace);
  for (const [index, { judged: first, before, key }] of steps.entries()) {
    const isFree =
      key === undefined
        ? !trace.slice(0, index).some((other) => sameRequest(other, first) && !isRefused(other))
        : before === 'free' || before === 'named';
    const again =
      isFree && isPlainAndTrusted(first) && isRefused(first)
        ? trace
            .slice(index + 1)
            .find((other) => sameRequest(first, other) && classifyStatus(other.answer) === 'accepted')
        : undefined;
    if (again !== undefined) {
      return [
        {
          check: 'equal-requests',
          level: 'violation',
          operation: nameOperation(first),
          clause: {
            kind: 'document',
            pointer: first.operation?.requestBody?.pointer ?? '',
            quote: 'its schema accepts the body, the first time too',
          },
          expected: 'equal requests get the same kind of answer',
          received: `${describeReceived(first.answer)}, then ${describeReceived(again.answer)} for the same request`,
          cause: 'refused and then taken',
          shownBy: trace.slice(0, trace.indexOf(again) + 1),
        },
      ];
    }
  }
  return [];
};

/**
 * Advises on a key that is refused as existing and later, in the very same request, is taken: what was created
 * under it was forgotten, though nothing removed it. The document says nothing of repeated keys, so it is advice.
 *
 * @example a store that keeps the last 20 resources
 */
export const checkForgottenKey: TraceCheck = (trace) => {
  for (const [index, { judged: refused, before }] of followStore(trace).entries()) {
    const isRepeat = before === 'taken' && isPlainAndTrusted(refused) && isTurnedAway(refused);
    const taken = isRepeat
      ? trace
          .slice(index + 1)
          .find((other) => sameRequest(refused, other) && classifyStatus(other.answer) === 'accepted')
      : undefined;
    if (taken !== undefined) {
      return [
        {
          check: 'forgotten-key',
          level: 'advice',
          operation: nameOperation(refused),
          clause: {
            kind: 'policy',
            question: 'duplicate-key',
            quote: 'A key that exists already is answered in one way',
          },
          expected: 'a key that was refused as existing is refused as long as nothing removes what is there',
          received: `${describeReceived(refused.answer)} for a repeated key, later ${describeReceived(taken.answer)}`,
          cause: 'refused and then taken',
          shownBy: trace.slice(0, trace.indexOf(taken) + 1),
        },
      ];
    }
  }
  return [];
};

/** The exchanges by their keys, in the order in which the keys came first. */
function groupByKey(trace: readonly Judged[]): readonly (readonly Judged[])[] {
  const groups = new Map<string, Judged[]>();
  for (const judged of trace) {
    const key = resourceKey(judged) ?? '';
    groups.set(key, [...(groups.get(key) ?? []), judged]);
  }
  return [...groups.values()];
}

function isAccepted({ answer }: Judged): boolean {
  return classifyStatus(answer) === 'accepted';
}

/**
 * Advises on a service that refuses a key that exists, and creates it twice where requests come side by side: it
 * asks whether the key exists and creates it later, with something else in between. The first key of the trace
 * comes several times, one request after the other; of each further key the requests are sent side by side.
 *
 * @example two requests with one id, sent at once, that are both answered 200
 */
export const checkRace: TraceCheck = (trace) => {
  const [inTurn = [], ...raced] = groupByKey(trace);
  const [first, second, ...further] = inTurn;
  if (
    first === undefined ||
    second === undefined ||
    !isAccepted(first) ||
    ![second, ...further].every(isTurnedAway)
  ) {
    return [];
  }
  const lost = raced.find((group) => group.filter(isAccepted).length > 1);
  const [one] = lost?.filter(isAccepted) ?? [];
  if (lost === undefined || one === undefined) return [];
  return [
    {
      check: 'race',
      level: 'advice',
      operation: nameOperation(one),
      clause: {
        kind: 'policy',
        question: 'duplicate-key',
        quote: 'What happens when the key exists already?',
      },
      expected: `one of several requests with one key is taken, as ${describeReceived(second.answer)} refuses the second of two that follow each other`,
      received: `${describeReceived(one.answer)} more than once for one key, side by side`,
      cause: 'taken twice',
      shownBy: lost,
    },
  ];
};

/** What a body holds besides the key. */
function withoutKey({ request: { body }, operation }: Judged): JsonValue {
  const value = body.kind === 'valid' ? body.value : null;
  const key = operation?.kind.kind === 'create' ? operation.kind.key : undefined;
  if (key?.kind !== 'client' || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key.property));
}

/** Whether the same body is taken under a key that nothing named before, so that the key alone can be at fault. */
function isTakenElsewhere({ judged }: StoreStep, later: readonly StoreStep[]): boolean {
  return later.some(
    ({ judged: other, before }) =>
      before === 'free' &&
      isPlainAndTrusted(other) &&
      classifyStatus(other.answer) === 'accepted' &&
      jsonEqual(withoutKey(other), withoutKey(judged)),
  );
}

/**
 * Finds a refused or unauthenticated request that left something behind: its key, sent in a plain valid
 * body afterwards, is refused, and the same body with another key is taken after that.
 *
 * @example an id of a request answered 401 that is "taken" when it comes again with a good token
 */
export const checkRefusedLeavesTrace: TraceCheck = (trace) => {
  const steps = followStore(trace);
  for (const [index, step] of steps.entries()) {
    const { judged: again, before, namedBy: first } = step;
    if (
      before !== 'named' ||
      first === undefined ||
      isPlainAndTrusted(first) ||
      !isPlainAndTrusted(again) ||
      !isTurnedAway(again) ||
      !isTakenElsewhere(step, steps.slice(index + 1))
    ) {
      continue;
    }
    return [
      {
        check: 'refused-leaves-trace',
        level: 'violation',
        operation: nameOperation(again),
        clause: {
          kind: 'document',
          pointer: first.operation?.pointer ?? '',
          quote: 'a request that is refused creates nothing',
        },
        expected: 'a key of a refused request is free',
        received: `${describeReceived(again.answer)} when the key came again, after ${describeReceived(first.answer)}`,
        cause: `after ${describeRequest(first.request)}`,
      },
    ];
  }
  return [];
};

/** Whether the second of two neighbours was refused although the first was taken. */
function refusesSecond(first: Judged, second: Judged): boolean {
  return (
    classifyStatus(first.answer) === 'accepted' &&
    second.answer.kind === 'response' &&
    second.answer.response.status >= 300 &&
    second.answer.response.status < 500
  );
}

/**
 * Finds two keys that are two by the document and one to the service: they differ only past 2^53, or past
 * 32 bits. The trace is two pairs, the twins in one order and fresh twins in the other, so that each of the
 * two is seen to be taken when it comes first.
 *
 * @example 9007199254740993 refused as existing after 9007199254740992
 */
export const checkTwinKeys: TraceCheck = (trace): readonly Finding[] => {
  const [first, second, third, fourth] = trace;
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) return [];
  if (!refusesSecond(first, second) || !refusesSecond(third, fourth)) return [];
  return [
    {
      check: 'twin-keys',
      level: 'violation',
      operation: nameOperation(second),
      clause: {
        kind: 'document',
        pointer: second.operation?.requestBody?.pointer ?? '',
        quote: 'the schema of the key tells the two apart',
      },
      expected: 'two keys that differ are two',
      received: `${describeReceived(second.answer)} for the second of two different keys, in both orders`,
      cause: 'merged',
    },
  ];
};

/**
 * Says why a trace shows nothing of what becomes of one key in requests side by side. Its first exchanges are
 * one key, one request after the other.
 *
 * @returns undefined where the trace does show it
 */
export function whyRaceUnjudged(trace: readonly Judged[]): string | undefined {
  const [first] = trace;
  const repeats = trace.slice(1).filter((one) => first && resourceKey(one) === resourceKey(first));
  return repeats.length === 0 || !repeats.every(isTurnedAway)
    ? 'the service does not refuse a key that exists already each time, so nothing is lost where such requests come side by side'
    : undefined;
}

function wasAccepted(judged: Judged | undefined): boolean {
  return judged !== undefined && classifyStatus(judged.answer) === 'accepted';
}

/**
 * Says why a trace does not show whether twin keys are told apart. The trace is the twins in one order, fresh
 * twins in the other, and one fresh key twice.
 *
 * @returns undefined where the trace does show it
 */
export function whyTwinsUnjudged(trace: readonly Judged[]): string | undefined {
  const [first, , third, , fresh, repeated] = trace;
  if (!wasAccepted(first) || !wasAccepted(third)) {
    return 'the service refuses such keys, so it shows nothing of telling them apart; it would have to take them';
  }
  return wasAccepted(fresh) && wasAccepted(repeated)
    ? 'the service takes a key that exists already, so two keys that it takes for one look like two'
    : undefined;
}
