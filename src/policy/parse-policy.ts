import type { DocumentProblem } from '../document/document-problem.ts';
import { closestWord } from '../errors/closest-word.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { appendPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { checkAnswers } from './check-answers.ts';
import type { PolicyFile } from './policy-file.ts';
import { questions } from './questions.ts';

const keysOfFile = ['$schema', 'contract', 'answers', 'operations', 'evidence'];

function below(start: string, problems: readonly DocumentProblem[]): readonly DocumentProblem[] {
  return problems.map((problem) => ({ ...problem, pointer: start + problem.pointer }));
}

function checkKeys(value: JsonObject): readonly DocumentProblem[] {
  return Object.keys(value)
    .filter((key) => !keysOfFile.includes(key))
    .map((key) => {
      const near = closestWord(key, keysOfFile);
      const isQuestion = Object.hasOwn(questions, key);
      return {
        pointer: appendPointer('', key),
        reason: isQuestion ? `"${key}" stands outside "answers"` : `there is no "${key}"`,
        remedy: isQuestion
          ? 'Move it into "answers"'
          : near === undefined
            ? `It takes ${keysOfFile.join(', ')}`
            : `Perhaps "${near}" was meant`,
      };
    });
}

function checkOperations(operations: JsonValue | undefined): readonly DocumentProblem[] {
  if (operations === undefined) {
    return [];
  }
  if (!isJsonObject(operations)) {
    const remedy =
      'Write operations with their answers, as in {"createOrder": {"duplicate-key": "conflict"}}';
    return [{ pointer: '/operations', reason: 'must be an object', remedy }];
  }
  return Object.entries(operations).flatMap(([id, answers]) =>
    below(appendPointer('/operations', id), checkAnswers(answers, 'operation')),
  );
}

/**
 * Reads what a policy file holds.
 *
 * @param value - as it stands there, its numbers exact
 * @returns the policy, and everything that is wrong with it; with a problem, the policy is not to be used
 */
export function parsePolicy(value: JsonValue): {
  readonly file: PolicyFile;
  readonly problems: readonly DocumentProblem[];
} {
  if (!isJsonObject(value)) {
    const remedy = 'Begin with {"answers": {}}, or have it written by cloche learn';
    return { file: { answers: {} }, problems: [{ pointer: '', reason: 'must be an object', remedy }] };
  }
  const { $schema, contract, answers, operations, evidence } = value;
  const texts = Object.entries({ $schema, contract })
    .filter(([, text]) => text !== undefined && (typeof text !== 'string' || text === ''))
    .map(([key]) => ({
      pointer: appendPointer('', key),
      reason: 'must be a text',
      remedy: `Name a file or a URL, or leave "${key}" out`,
    }));
  const missing = {
    pointer: '',
    reason: 'must have "answers"',
    remedy: 'Write questions with their answers, as in {"answers": {"duplicate-key": "conflict"}}',
  };
  const isEvidence = evidence === undefined || isJsonObject(evidence);
  const problems = [
    ...checkKeys(value),
    ...texts,
    ...(answers === undefined ? [missing] : below('/answers', checkAnswers(answers, 'service'))),
    ...checkOperations(operations),
    ...(isEvidence
      ? []
      : [
          { pointer: '/evidence', reason: 'must be an object', remedy: 'Leave it out, or as learn wrote it' },
        ]),
  ];
  // `as`: without a problem it has just this shape, and with one it is not used.
  return { file: (problems.length === 0 ? value : { answers: {} }) as unknown as PolicyFile, problems };
}
