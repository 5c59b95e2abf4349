import type { DuplicateKeyAnswer } from '../policy/duplicate-key.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { jsonEqual } from '../json/json-equal.ts';
import type { JsonValue } from '../json/json-value.ts';
import { describeAnswer } from '../policy/describe-answer.ts';
import type { Policy } from '../policy/policy.ts';
import { boundsValues } from './bounds-values.ts';
import { contextOf } from './context-of.ts';
import { declaresExactly } from './declares-exactly.ts';
import { describeReceived, nameOperation } from './describe-subject.ts';
import type { Finding } from './finding.ts';
import type { Judged } from './judged.ts';
import { classifyStatus } from './status-class.ts';
import type { TraceCheck } from './trace-check.ts';

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
  if (repeated.answer.kind === 'none') {
    return [];
  }
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
  if (seen.includes(told) || (isRefused && (told === 'refuse' || boundsValues(policy)))) {
    return true;
  }
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
  if (answer === undefined) {
    return [];
  }
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
