import type { Contract } from '../contract/contract.ts';
import type { DocumentProblem } from '../document/document.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { closestWord } from '../errors/suggest.ts';
import { appendPointer, pointerTokens } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { Policy } from './policy.ts';
import { type Answers, questions } from './questions/index.ts';
import { checkAgainstContract, checkAnswers } from './validate.ts';

/** What stands in a policy file, as `schema/policy.schema.json` describes it. */
export interface PolicyFile {
  /** Where the schema is, for editors. */
  readonly $schema?: string;
  /** The document that it speaks of: a path relative to the file, or a URL. */
  readonly contract?: string;
  /** A question that is left out is not held against anybody. */
  readonly answers: Partial<Answers>;
  /** The answers of single operations, by their ids. */
  readonly operations?: Readonly<Record<string, Partial<Answers>>>;
  /** Where the answers come from, for who reads the file. */
  readonly evidence?: JsonObject;
}

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
  if (operations === undefined) return [];
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

/**
 * Checks answers that a program gives, rather than a file.
 *
 * @returns them, without what is undefined
 * @throws ClocheError POLICY_INVALID for an unknown question, an impossible answer, and an operation or a property that there is not
 */
export function checkPolicy(policy: Partial<Policy>, contract: Contract): Partial<Policy> {
  const { operations = {}, ...answers } = policy;
  const given = Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== undefined));
  // `as`: answers are JSON, but for being read only.
  const [problem] = parsePolicy({ answers: given, operations } as unknown as JsonValue).problems;
  const [stray] = problem === undefined ? checkAgainstContract(policy, contract) : [];
  const found = problem ?? stray;
  if (found !== undefined) {
    throw new ClocheError('POLICY_INVALID', {
      attempt: 'read the policy at',
      subject: pointerTokens(found.pointer)
        .join('.')
        .replace(/^answers\./u, ''),
      reason: found.reason,
      remedy: found.remedy,
    });
  }
  return { ...given, ...(Object.keys(operations).length === 0 ? {} : { operations }) };
}

/**
 * The answers that a run takes from the policy beside its document even where it is told none: what a create answers
 * with, and which tokens are good.
 */
export type RunAnswers = Partial<Pick<Policy, 'echo' | 'accepted-tokens' | 'operations'>>;
