import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { questions } from '../../policy/questions.ts';
import { contextOf } from '../context-of.ts';
import { describeReceived, nameOperation } from '../describe-subject.ts';
import type { Judged } from '../judged.ts';
import { classifyStatus } from '../status-class.ts';
import { isTelltale } from '../telltale-texts.ts';
import type { TraceCheck, TraceFinding } from '../trace-check.ts';
import { statusOf } from './status-of.ts';

function bodyOf({ request: { body } }: Judged): JsonObject | undefined {
  return body.kind === 'valid' && isJsonObject(body.value) ? body.value : undefined;
}

/** The texts, too random to be alike by chance, that two bodies have in common. */
function sharedNames(left: JsonObject, right: JsonObject): readonly string[] {
  return Object.keys(left).filter((name) => {
    const text = left[name];
    return typeof text === 'string' && isTelltale(text) && text === right[name];
  });
}

function isTaken(judged: Judged): boolean {
  return classifyStatus(judged.answer) === 'accepted';
}

/** Statuses by which a value that exists already is refused (RFC 9110 §15.5). */
const refusals = new Set([400, 409, 422]);

/**
 * Holds which values may exist only once, where it was told. The first exchange of the trace creates, those behind it
 * give one of its texts again under other keys, and the last has nothing in common with it: were it refused too,
 * something else would be to blame.
 *
 * @example a second resource of one name that is taken, where the policy says that names are unique
 */
export const checkUniqueProperties: TraceCheck = (trace, runContext): readonly TraceFinding[] => {
  const [first, second] = trace;
  const last = trace.at(-1);
  const [before, after] = [first, second].map((judged) => judged && bodyOf(judged));
  if (first === undefined || second === undefined || last === undefined || !before || !after) {
    return [];
  }
  const { told, policy } = contextOf(runContext, first.operation);
  const [name, another] = sharedNames(before, after);
  if (!told.has('unique-properties') || name === undefined || another !== undefined || !isTaken(first)) {
    return [];
  }
  const isUnique = policy['unique-properties'].includes(name);
  const repeats = trace.slice(1, -1);
  const isAnother = isUnique
    ? isTaken(second)
    : isTaken(last) && repeats.length > 0 && repeats.every((judged) => refusals.has(statusOf(judged)));
  return isAnother
    ? [
        {
          check: 'drift',
          level: 'violation',
          operation: nameOperation(second),
          clause: {
            kind: 'policy',
            question: 'unique-properties',
            quote: questions['unique-properties'].question,
          },
          expected: isUnique ? `/${name} may exist only once` : `/${name} may be the same in several`,
          received: `${describeReceived(second.answer)} for another key with the same /${name}`,
          cause: `unique-properties ${name} ${statusOf(second)}`,
          shownBy: [first, second],
        },
      ]
    : [];
};
