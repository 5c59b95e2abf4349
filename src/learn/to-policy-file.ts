import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { Learnt, LearntOutcome } from './learnt.ts';

const schema = './node_modules/cloche/schema/policy.schema.json';

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
