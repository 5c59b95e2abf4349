import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../json/value.ts';
import type { Answers, QuestionId } from '../policy/question.ts';
import type { Learnt, LearntOutcome, LearntQuestion } from './events.ts';

/** The settled answers: of the service where all operations agree, of single operations where they differ. */
export function joinAnswers(asked: readonly LearntQuestion[]): Pick<Learnt, 'answers' | 'operations'> {
  const answers: Partial<Record<QuestionId, JsonValue>> = {};
  const operations: Record<string, Partial<Record<QuestionId, JsonValue>>> = {};
  for (const id of new Set(asked.map(({ question }) => question))) {
    const settled = asked.flatMap(({ question, operationId, outcome }) =>
      question === id && outcome.kind === 'settled' ? [{ operationId, answer: outcome.answer }] : [],
    );
    const [first] = settled;
    if (first !== undefined && settled.every(({ answer }) => jsonEqual(answer, first.answer))) {
      answers[id] = first.answer;
      continue;
    }
    for (const { operationId, answer } of settled) {
      operations[operationId] = { ...operations[operationId], [id]: answer };
    }
  }
  // `as`: each probe gives answers to its own question.
  return { answers, operations } as unknown as {
    readonly answers: Partial<Answers>;
    readonly operations: Record<string, Partial<Answers>>;
  };
}

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

const schema = './node_modules/cloche/spec/policy.schema.json';

function toEvidence(outcome: LearntOutcome): JsonObject {
  switch (outcome.kind) {
    case 'settled': {
      const { alike, seen, trials, exchanges } = outcome;
      return {
        seen: `${seen} of ${trials}`,
        ...(alike.length === 0 ? {} : { alike: [...alike] }),
        exchanges: exchanges.map((exchange) => ({ ...exchange })),
      };
    }
    case 'masked':
      return { masked: outcome.why, by: outcome.by };
    case 'contradictory':
      return {
        contradictory: outcome.answers.map(({ answer, seen }) => ({
          answer,
          seen: `${seen} of ${outcome.trials}`,
        })),
      };
    case 'answered':
      return { document: outcome.says };
    case 'unsettled':
    case 'not-asked':
      return { [outcome.kind === 'unsettled' ? 'unsettled' : 'notAsked']: outcome.why };
  }
}

/**
 * What was learnt, as it stands in a policy file: the answers with the evidence, and why others are left out. It holds no
 * secret.
 *
 * @param input.contract - the document, as a path relative to the file or a URL; undefined leaves it out
 * @param input.service - the base URL that was asked
 */
export function toPolicyFile(
  { answers, operations, questions }: Learnt,
  input: { readonly contract: string | undefined; readonly service: string },
): JsonObject {
  const evidence: Record<string, JsonObject> = {};
  for (const { operationId, question, outcome } of questions) {
    evidence[operationId] = { ...evidence[operationId], [question]: toEvidence(outcome) };
  }
  // `as`: answers are JSON, as their schemas say.
  const written = { answers, operations } as unknown as Readonly<Record<'answers' | 'operations', JsonValue>>;
  return {
    $schema: schema,
    ...(input.contract === undefined ? {} : { contract: input.contract }),
    answers: written.answers,
    ...(Object.keys(operations).length === 0 ? {} : { operations: written.operations }),
    evidence: { service: input.service, operations: evidence },
  };
}
