import { clientIdProperty } from '../../contract/request-facts.ts';
import { declaresExactly } from '../../contract/responses.ts';
import { isJsonObject, jsonEqual, type JsonValue } from '../../json/value.ts';
import { describeValue, type Policy } from '../../policy/policy.ts';
import type { BehaviourValues } from '../../policy/behaviour.ts';
import { boundsValues } from '../boundary.ts';
import { type Check, defineSequenceCheck, type SequenceCheck } from '../define-check.ts';
import { describeReceived, describeRequest, nameOperation } from '../describe.ts';
import { quoteDocument, quoteBehaviour } from '../finding.ts';
import { classifyStatus, isAccepted, isPassing, jsonContent } from '../classify/answer.ts';
import { isPlainAndTrusted, isRejected, resourceKey } from '../classify/request.ts';
import { contextOf, type CheckedExchange, type TraceCheck } from '../classify/subject.ts';

/** The check `refused-leaves-trace`. */
export const refusedLeavesTraceCheck: SequenceCheck<'refused-leaves-trace'> = defineSequenceCheck({
  id: 'refused-leaves-trace',
  docs: {
    title: 'A refused request had an effect',
    place: 'the operation: a rejected request creates nothing',
    finds:
      'The service treats the id of a rejected or unauthenticated request as existing, though it accepts the same body with another id.',
    example: {
      request: 'POST /orders {"id": 7}\n\n(after the same without credentials, answered 401)',
      answer: 'HTTP/1.1 409 Conflict',
    },
  },
  judgeTrace(trace) {
    const steps = followStore(trace);
    for (const [index, { judged: again, before, namedBy: first }] of steps.entries()) {
      if (before !== 'named' || first === undefined || isPlainAndTrusted(first)) continue;
      if (!isPlainAndTrusted(again) || !isRejected(again)) continue;
      // If a free id with the same body is accepted, only the id can be the reason.
      const fresh = steps.slice(index + 1).filter((step) => step.before === 'free');
      const isOfKey = fresh.some(
        ({ judged }) =>
          isPlainAndTrusted(judged) &&
          isAccepted(judged.answer) &&
          jsonEqual(withoutKey(judged), withoutKey(again)),
      );
      if (isOfKey) {
        return {
          of: again,
          clause: quoteDocument(first.operation?.pointer ?? '', 'a request that is refused creates nothing'),
          expected: 'the id of a refused request is free',
          received: `${describeReceived(again.answer)} when the id was sent again, after ${describeReceived(first.answer)}`,
          cause: `after ${describeRequest(first.request)}`,
        };
      }
    }
    return undefined;
  },
});

/** Returns the body without the id. */
function withoutKey({ request: { body }, operation }: CheckedExchange): JsonValue {
  const value = body.kind === 'valid' ? body.value : null;
  const key = clientIdProperty(operation);
  if (key === undefined || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

/** The trace has colliding ids in one order, then new ones in the other, so each is seen to be accepted first. */
export const collidingIdsCheck: SequenceCheck<'twin-keys'> = defineSequenceCheck({
  id: 'twin-keys',
  docs: {
    title: 'Two different ids were treated as one',
    place: 'the schema of the id, by which the two differ',
    finds:
      'Two ids differ only past 2^53 or past 32 bits, and the service treats them as the same, in both orders.',
    example: {
      request: 'POST /orders {"id": 9007199254740993}\n\n(after {"id": 9007199254740992})',
      answer: 'HTTP/1.1 409 Conflict',
    },
  },
  judgeTrace([first, second, third, fourth]) {
    if (second === undefined || !refusesSecond(first, second) || !refusesSecond(third, fourth)) {
      return undefined;
    }
    return {
      of: second,
      clause: quoteDocument(
        second.operation?.requestBody?.pointer ?? '',
        'the schema of the id, by which the two differ',
      ),
      expected: 'different ids are different resources',
      received: `${describeReceived(second.answer)} for the second of two different ids, in both orders`,
      cause: 'merged',
    };
  },
});

/** Returns whether the first of two neighbours was accepted and the second rejected. */
function refusesSecond(first: CheckedExchange | undefined, second: CheckedExchange | undefined): boolean {
  if (!wasAccepted(first) || second?.answer.kind !== 'response') return false;
  const { status } = second.answer.response;
  return status >= 300 && status < 500;
}

function wasAccepted(judged: CheckedExchange | undefined): boolean {
  return judged !== undefined && isAccepted(judged.answer);
}

/**
 * Returns why a trace does not show whether the service distinguishes colliding ids, if it does not. The trace has the
 * ids in one order, new ones in the other, and one new id twice.
 */
export function whyCollisionsUnchecked(trace: readonly CheckedExchange[]): string | undefined {
  const [first, , third, , fresh, repeated] = trace;
  if (!wasAccepted(first) || !wasAccepted(third)) {
    return 'the service refuses such ids, so whether it distinguishes them does not show; it would have to accept them';
  }
  return wasAccepted(fresh) && wasAccepted(repeated)
    ? 'the service accepts an id that exists already, so two ids that it treats as one look like two'
    : undefined;
}

/** Skipped if the id may exist or an equal request was accepted before, as values may have to be unique. */
export const equalRequestsCheck: SequenceCheck<'equal-requests'> = defineSequenceCheck({
  id: 'equal-requests',
  docs: {
    title: 'A request was refused and, sent again, accepted',
    place: 'the schema of the request body, which accepts the body both times',
    finds:
      'A plain request is rejected and, sent again byte for byte, accepted, with nothing in between to explain it.',
    example: {
      request: 'POST /orders {"id": 7}\n\n(and the same again)',
      answer: 'HTTP/1.1 400 Bad Request\n\n(and then 200 OK)',
    },
  },
  judgeTrace(trace) {
    for (const [index, { judged: first, before, key }] of followStore(trace).entries()) {
      const isFree =
        key === undefined
          ? !trace.slice(0, index).some((other) => isSameRequest(other, first) && !isRefused(other))
          : before === 'free' || before === 'named';
      const again =
        isFree && isPlainAndTrusted(first) && isRefused(first)
          ? findTakenRepeat(trace, index, first)
          : undefined;
      if (again !== undefined) {
        return {
          of: first,
          clause: quoteDocument(
            first.operation?.requestBody?.pointer ?? '',
            'its schema accepts the body, the first time too',
          ),
          expected: 'equal requests get the same kind of response',
          received: `${describeReceived(first.answer)}, then ${describeReceived(again.answer)} for the same request`,
          cause: 'refused and then taken',
          shownBy: trace.slice(0, trace.indexOf(again) + 1),
        };
      }
    }
    return undefined;
  },
});

/** The check `undeclared-status` reports a status that is not declared. */
function isRefused({ answer }: CheckedExchange): boolean {
  return classifyStatus(answer) === 'refused' && !isPassing(answer);
}

/** A warning, as the document does not specify repeated ids. */
export const forgottenKeyCheck: SequenceCheck<'forgotten-key'> = defineSequenceCheck({
  id: 'forgotten-key',
  levels: ['warning'],
  docs: {
    title: 'An id that was refused as existing was accepted later',
    place: 'policy `duplicate-key`',
    finds: 'An id is rejected as existing and later accepted, though nothing deleted the resource.',
    example: {
      request: 'POST /orders {"id": 7}\n\n(refused before, for the second time)',
      answer: 'HTTP/1.1 200 OK',
    },
  },
  judgeTrace(trace) {
    for (const [index, { judged: refused, before }] of followStore(trace).entries()) {
      const isRepeat = before === 'taken' && isPlainAndTrusted(refused) && isRejected(refused);
      const taken = isRepeat ? findTakenRepeat(trace, index, refused) : undefined;
      if (taken !== undefined) {
        return {
          of: refused,
          clause: {
            kind: 'policy',
            question: 'duplicate-key',
            quote: 'A repeated id always gets the same response',
          },
          expected: 'an id that was refused as existing is refused until the resource is deleted',
          received: `${describeReceived(refused.answer)} for a repeated id, later ${describeReceived(taken.answer)}`,
          cause: 'refused and then taken',
          shownBy: trace.slice(0, trace.indexOf(taken) + 1),
        };
      }
    }
    return undefined;
  },
});

/** Returns the first later repeat of a request that is accepted. */
function findTakenRepeat(
  trace: readonly CheckedExchange[],
  index: number,
  refused: CheckedExchange,
): CheckedExchange | undefined {
  return trace.slice(index + 1).find((other) => isSameRequest(refused, other) && isAccepted(other.answer));
}

function isSameRequest(
  { exchange: { request: one } }: CheckedExchange,
  { exchange: { request: two } }: CheckedExchange,
): boolean {
  return (
    one.method === two.method &&
    one.target === two.target &&
    isSameBody(one.body, two.body) &&
    JSON.stringify(one.headers) === JSON.stringify(two.headers)
  );
}

function isSameBody(one: Uint8Array | undefined, two: Uint8Array | undefined): boolean {
  if (one === undefined || two === undefined) return one === two;
  return one.length === two.length && one.every((byte, index) => byte === two[index]);
}

/**
 * A service that fails it checks whether an id exists and creates it later, with other requests in between. The trace
 * has several sequential requests with the first id, and concurrent requests with each further id.
 */
export const raceCheck: SequenceCheck<'race'> = defineSequenceCheck({
  id: 'race',
  levels: ['warning'],
  docs: {
    title: 'One id was created more than once by concurrent requests',
    place: 'policy `duplicate-key`',
    finds: 'The service rejects a repeated id, but accepts it more than once in concurrent requests.',
    example: {
      request: 'POST /orders {"id": 7}\nPOST /orders {"id": 7}\n\n(at the same time)',
      answer: 'HTTP/1.1 200 OK\nHTTP/1.1 200 OK',
    },
  },
  judgeTrace(trace) {
    const groups = new Map<string, CheckedExchange[]>();
    for (const judged of trace) {
      const key = resourceKey(judged) ?? '';
      groups.set(key, [...(groups.get(key) ?? []), judged]);
    }
    const [runExclusive = [], ...raced] = groups.values();
    const [first, ...repeats] = runExclusive;
    const [second] = repeats;
    if (second === undefined || !wasAccepted(first) || !repeats.every(isRejected)) return undefined;
    const lost = raced.find((group) => group.filter(wasAccepted).length > 1);
    const one = lost?.find(wasAccepted);
    if (lost === undefined || one === undefined) return undefined;
    return {
      of: one,
      clause: quoteBehaviour('duplicate-key'),
      expected: `one of several requests with the same id is accepted, as ${describeReceived(second.answer)} refuses the second of two that follow each other`,
      received: `${describeReceived(one.answer)} more than once for one id, in concurrent requests`,
      cause: 'taken twice',
      shownBy: lost,
    };
  },
});

/**
 * Returns why a trace does not show how the service handles one id in concurrent requests, if it does not. The first
 * exchanges of the trace have one id, in sequential requests.
 */
export function whyRaceUnchecked(trace: readonly CheckedExchange[]): string | undefined {
  const [first] = trace;
  const repeats = trace.slice(1).filter((one) => first && resourceKey(one) === resourceKey(first));
  return repeats.length === 0 || !repeats.every(isRejected)
    ? 'the service does not always refuse a repeated id, so nothing is lost in concurrent requests'
    : undefined;
}

/**
 * The state of an id in a store that keeps only what it received. free: no request had it; named: only rejected
 * requests had it; taken: a request created it; unknown: the response does not show it.
 */
type KeyState = 'free' | 'named' | 'taken' | 'unknown';

/** An exchange, and the state of its id when its request was sent. */
interface StoreStep {
  readonly judged: CheckedExchange;
  readonly key: string | undefined;
  readonly before: KeyState;
  readonly namedBy: CheckedExchange | undefined;
}

/** Replays sequential requests on the simplest store, a map from ids to their states. */
export function followStore(trace: readonly CheckedExchange[]): readonly StoreStep[] {
  const keys = new Map<string, ReturnType<typeof learn>>();
  // A service may find an id in a body that cannot be parsed here.
  const unparsed: { readonly text: string; readonly known: ReturnType<typeof learn> }[] = [];
  return trace.map((judged) => {
    const key = resourceKey(judged);
    if (key === undefined) {
      const text = new TextDecoder().decode(judged.exchange.request.body ?? new Uint8Array());
      unparsed.push({ text, known: learn('free', judged) });
      return { judged, key, before: 'free', namedBy: undefined };
    }
    const place = `${judged.exchange.request.target} ${key}`;
    const known = keys.get(place) ?? unparsed.find(({ text }) => text.includes(key))?.known;
    const before = known?.state ?? 'free';
    keys.set(place, learn(before, judged));
    return { judged, key, before, namedBy: known?.by };
  });
}

function learn(
  before: KeyState,
  judged: CheckedExchange,
): { readonly state: KeyState; readonly by: CheckedExchange } {
  if (before === 'taken' || isAccepted(judged.answer)) return { state: 'taken', by: judged };
  return { state: isRejected(judged) && before !== 'unknown' ? 'named' : 'unknown', by: judged };
}

/** {@link checkDuplicateKey} makes its findings, as some of them are policy violations. */
export const duplicateKeyCheck: Check<'duplicate-key'> = {
  id: 'duplicate-key',
  levels: ['note'],
  docs: {
    title: 'An id was sent again',
    place: 'policy `duplicate-key`',
    finds:
      'The response to an id that is sent again. If a policy specifies another behaviour, it is `drift` instead.',
    example: { request: 'POST /orders {"id": 7}\n\n(for the second time)', answer: 'HTTP/1.1 409 Conflict' },
  },
};

/**
 * Checks how the service handles an id that is sent again: a policy violation if another value is configured, otherwise
 * a note. The first exchange of the trace creates; the last repeats its id with other values.
 */
export const checkDuplicateKey: TraceCheck = (trace, context) => {
  const [first] = trace;
  const repeated = trace.at(-1);
  if (first === undefined || repeated === undefined || first === repeated || !wasAccepted(first)) return [];
  const seen = readAnswers(first, repeated);
  const [answer] = seen;
  if (answer === undefined) return [];
  const { enforced, policy } = contextOf(context, repeated.operation);
  const drifts = enforced.has('duplicate-key') && !holds(repeated, seen, policy);
  const received = describeReceived(repeated.answer);
  return [
    {
      check: drifts ? 'drift' : 'duplicate-key',
      level: drifts ? 'violation' : 'note',
      operation: nameOperation(repeated),
      clause: quoteBehaviour('duplicate-key'),
      expected: drifts
        ? describeValue('duplicate-key', policy['duplicate-key'])
        : 'any of the answers that the question allows',
      received: drifts ? received : `${seen.join(' or ')} (${received})`,
      cause: `duplicate-key ${answer}`,
    },
  ];
};

type Seen = BehaviourValues['duplicate-key'] | 'another status';

/** Lists the policy values that agree with the response to a repeated id. */
function readAnswers(first: CheckedExchange, repeated: CheckedExchange): readonly Seen[] {
  const { answer } = repeated;
  if (answer.kind === 'none') return [];
  if (isAccepted(answer)) {
    const shown = readShown(first, repeated);
    return [
      ...(shown === 'repeated' ? [] : (['keep-first'] as const)),
      ...(shown === 'first' ? [] : (['replace', 'accept'] as const)),
    ];
  }
  const byStatus: Readonly<Record<number, Seen>> = { 400: 'refuse', 409: 'conflict', 422: 'unprocessable' };
  return [byStatus[answer.response.status] ?? 'another status'];
}

/** Returns which resource a response shows, by properties that differ and that the first response shows. */
function readShown(first: CheckedExchange, repeated: CheckedExchange): 'first' | 'repeated' | 'unknown' {
  const [before, after] = [first, repeated].map(({ request: { body } }) =>
    body.kind === 'valid' ? body.value : undefined,
  );
  const [given, givenAgain] = [jsonContent(first.answer), jsonContent(repeated.answer)];
  const names = isJsonObject(before) ? Object.keys(before) : [];
  const telling = names.filter((name) => !isSame(name, before, after) && isSame(name, before, given));
  if (telling.length === 0) return 'unknown';
  if (telling.every((name) => isSame(name, before, givenAgain))) return 'first';
  return telling.every((name) => isSame(name, after, givenAgain)) ? 'repeated' : 'unknown';
}

/** Returns whether two objects have equal members of a name, or neither has one. */
function isSame(name: string, one: JsonValue | undefined, two: JsonValue | undefined): boolean {
  const [left, right] = [one, two].map((value) =>
    isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined,
  );
  return left === undefined || right === undefined ? left === right : jsonEqual(left, right);
}

/** Returns whether a response agrees with the policy value, or with the document if it specifies more. */
function holds({ answer, operation }: CheckedExchange, seen: readonly Seen[], policy: Policy): boolean {
  const enforced = policy['duplicate-key'];
  const isRefused = classifyStatus(answer) === 'refused';
  if (seen.includes(enforced) || (isRefused && (enforced === 'refuse' || boundsValues(policy)))) return true;
  return seen.includes('conflict') && declaresExactly(operation, 409);
}

/** The run makes its findings, as it sends each request to both services. */
export const parityCheck: Check<'parity'> = {
  id: 'parity',
  levels: ['violation', 'warning'],
  docs: {
    title: 'Two services answered one request differently',
    place: 'the behaviour in the policy, the `responses` of the operation, or the place of another check',
    finds:
      'With `--against`, two services respond differently to one request: with another status, kind of content, error code, or value of a property that was sent. Stateful scenarios are sent to each service as a whole, with items that each service creates. Their reads, lists and policy behaviours are compared; ids, times and other generated values are not. If the response of the other service contradicts the document, it is a violation, or a warning if the check that finds it has that level. If neither response does, the document does not specify the behaviour: it is a warning, with the policy value by which a mock would respond the same. Errors of the tested service have findings of other checks.',
    example: {
      request: 'POST /orders\n\n(its id was sent before)',
      answer: 'HTTP/1.1 409 Conflict\n\n(the mock answers 400 Bad Request)',
    },
  },
};
