import type { DuplicateKeyAnswer } from '../policy/duplicate-key.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { jsonEqual } from '../json/json-equal.ts';
import type { JsonValue } from '../json/json-value.ts';
import { describeReceived, nameOperation } from './describe-subject.ts';
import type { Finding } from './finding.ts';
import type { Judged } from './judged.ts';
import { classifyStatus } from './status-class.ts';
import type { TraceCheck } from './trace-check.ts';

type Seen = DuplicateKeyAnswer | 'another status';

function content({ answer }: Judged): JsonValue | undefined {
  return answer.kind === 'response' && answer.content.kind === 'json' ? answer.content.json.value : undefined;
}

/** Which answers of the policy a repeated key's answer agrees with. */
function readAnswers(first: Judged, repeated: Judged): readonly Seen[] {
  if (repeated.answer.kind === 'none') {
    return [];
  }
  const { status } = repeated.answer.response;
  if (classifyStatus(repeated.answer) === 'accepted') {
    const before = content(first);
    const after = content(repeated);
    const isStored = isJsonObject(before) && isJsonObject(after) && jsonEqual(before, after);
    return isStored ? ['keep-first', 'replace', 'accept'] : ['replace', 'accept'];
  }
  const byStatus: Readonly<Record<number, Seen>> = { 400: 'refuse', 409: 'conflict', 422: 'unprocessable' };
  return [byStatus[status] ?? 'another status'];
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
  const told = context.policy['duplicate-key'];
  const drifts = context.told && !seen.includes(told);
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
      expected: drifts ? told : 'any of the answers that the question allows',
      received: describeReceived(repeated.answer),
      cause: `duplicate-key ${answer}`,
    },
  ];
};
