import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { QuestionId } from '../policy/question-id.ts';

function toObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** What stands under questions that were asked again comes from the new file, or goes. */
function mergeByQuestion(input: {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly asked: readonly string[];
}): JsonObject {
  const after = toObject(input.after);
  // Each stays in its place, so that a comparison with what was there shows what changed.
  const kept = Object.entries(toObject(input.before)).flatMap(([id, value]) => {
    const now = input.asked.includes(id) ? after[id] : value;
    return now === undefined ? [] : [[id, now] as const];
  });
  return { ...Object.fromEntries(kept), ...after };
}

/** The same, operation by operation; an operation of which nothing is left is left out. */
function mergeByOperation(input: {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly asked: readonly string[];
}): JsonObject {
  const before = toObject(input.before);
  const after = toObject(input.after);
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    ids
      .map((id) => [id, mergeByQuestion({ ...input, before: before[id], after: after[id] })] as const)
      .filter(([, members]) => Object.keys(members).length > 0),
  );
}

/**
 * Puts what was learnt of some questions into a policy file that has answers to others: those stay, with their evidence.
 *
 * @param input.asked - the questions that were asked again, whose old answers go even where none was found
 */
export function mergePolicyFiles(input: {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly asked: readonly QuestionId[];
}): JsonObject {
  const { before, after, asked } = input;
  const operations = mergeByOperation({ before: before['operations'], after: after['operations'], asked });
  const evidence = toObject(before['evidence']);
  const newEvidence = toObject(after['evidence']);
  return {
    ...before,
    answers: mergeByQuestion({ before: before['answers'], after: after['answers'], asked }),
    // An operation without answers of its own is not named.
    ...(before['operations'] === undefined && Object.keys(operations).length === 0 ? {} : { operations }),
    evidence: {
      ...evidence,
      ...newEvidence,
      operations: mergeByOperation({
        before: evidence['operations'],
        after: newEvidence['operations'],
        asked,
      }),
    },
  };
}
