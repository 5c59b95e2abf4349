import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../json/value.ts';
import type { BehaviourValues, BehaviourId } from '../policy/behaviour.ts';
import type { Learnt, LearntOutcome, LearntBehaviour } from './events.ts';

/** Returns the settled values: of the service if all operations agree, of single operations if they differ. */
export function joinAnswers(asked: readonly LearntBehaviour[]): Pick<Learnt, 'answers' | 'operations'> {
  const answers: Partial<Record<BehaviourId, JsonValue>> = {};
  const operations: Record<string, Partial<Record<BehaviourId, JsonValue>>> = {};
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
  // `as`: each probe returns values of its behaviour.
  return { answers, operations } as unknown as {
    readonly answers: Partial<BehaviourValues>;
    readonly operations: Record<string, Partial<BehaviourValues>>;
  };
}

function toObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/**
 * Merges values that were learnt into a policy file. Values of other behaviours stay, with their evidence. Old values
 * of behaviours that were probed again are removed, even if no new value was found.
 */
export function mergePolicyFiles(input: {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly asked: readonly string[];
}): JsonObject {
  const { before, after, asked } = input;

  /** Replaces or removes the entries of behaviours that were probed again. */
  function mergeByQuestion(old: JsonValue | undefined, fresh: JsonValue | undefined): JsonObject {
    const found = toObject(fresh);
    // Each entry keeps its position. Then a diff shows only the changes.
    const kept = Object.entries(toObject(old)).flatMap(([id, value]) => {
      const now = asked.includes(id) ? found[id] : value;
      return now === undefined ? [] : [[id, now] as const];
    });
    return { ...Object.fromEntries(kept), ...found };
  }

  /** Merges by operation, and omits operations without entries. */
  function mergeByOperation(old: JsonObject, fresh: JsonObject): JsonObject {
    const [was, is] = [toObject(old['operations']), toObject(fresh['operations'])];
    return Object.fromEntries(
      Object.keys({ ...was, ...is })
        .map((id) => [id, mergeByQuestion(was[id], is[id])] as const)
        .filter(([, members]) => Object.keys(members).length > 0),
    );
  }

  const operations = mergeByOperation(before, after);
  const evidence = toObject(before['evidence']);
  const newEvidence = toObject(after['evidence']);
  return {
    ...before,
    answers: mergeByQuestion(before['answers'], after['answers']),
    // An operation without values is omitted.
    ...(before['operations'] === undefined && Object.keys(operations).length === 0 ? {} : { operations }),
    evidence: { ...evidence, ...newEvidence, operations: mergeByOperation(evidence, newEvidence) },
  };
}

function toEvidence(outcome: Exclude<LearntOutcome, { kind: 'not-asked' }>): JsonObject {
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
      return { unsettled: outcome.why };
  }
}

/**
 * Returns what was learnt as a policy file: the values with their evidence, and the reasons for omitted values. It has
 * no secret. The contract is a path relative to the file or a URL, omitted if undefined. The service is a base URL.
 */
export function toPolicyFile(
  { answers, operations, questions }: Learnt,
  input: {
    readonly contract: string | undefined;
    readonly service: string;
    /** The path or URL of the published schema. @defaultValue that of the package beside the file */
    readonly schema?: string;
  },
): JsonObject {
  const evidence: Record<string, JsonObject> = {};
  for (const { operationId, question, outcome } of questions) {
    // Behaviours that do not apply are omitted.
    if (outcome.kind === 'not-asked') continue;
    evidence[operationId] = { ...evidence[operationId], [question]: toEvidence(outcome) };
  }
  // `as`: values are JSON, as their schemas specify.
  const written = { answers, operations } as unknown as Readonly<Record<'answers' | 'operations', JsonValue>>;
  return {
    $schema: input.schema ?? './node_modules/cloche/spec/policy.schema.json',
    ...(input.contract === undefined ? {} : { contract: input.contract }),
    answers: written.answers,
    ...(Object.keys(operations).length === 0 ? {} : { operations: written.operations }),
    evidence: { service: input.service, operations: evidence },
  };
}
