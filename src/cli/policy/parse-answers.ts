import { ClocheError } from '../../errors/cloche-error.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { checkAnswers } from '../../policy/check-answers.ts';
import type { Policy } from '../../policy/policy.ts';
import { questions } from '../../policy/questions.ts';

/** An answer as an option has it, in its parts. */
interface Written {
  readonly operation: string | undefined;
  readonly question: string;
  readonly answer: JsonValue;
}

/** JSON where it is JSON, else the word that it is. */
function readAnswer(text: string): JsonValue {
  const parsed = parseJson(text, { findDuplicateKeys: false });
  return parsed.kind === 'json' ? parsed.value : text;
}

/** A question before its answer; the operation before it may hold colons and equals signs of its own. */
const questionBefore = new RegExp(`(?:^|:)(?:${Object.keys(questions).join('|')})=`, 'u');

/** Where the answer is set off from what it answers. */
function findEquals(text: string): number {
  const found = questionBefore.exec(text);
  return found === null ? text.indexOf('=') : found.index + found[0].length - 1;
}

function split(text: string): Written {
  const equals = findEquals(text);
  if (equals < 1 || equals === text.length - 1) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      // What stands behind a question may be a token.
      subject: `--answer ${text.slice(0, equals === -1 ? undefined : equals + 1)}`,
      reason: equals < 1 ? 'it is no question with its answer' : 'the answer is missing',
      remedy: 'Write it as --answer duplicate-key=conflict',
    });
  }
  const left = text.slice(0, equals);
  const colon = left.lastIndexOf(':');
  return {
    operation: colon === -1 ? undefined : left.slice(0, colon),
    question: left.slice(colon + 1),
    answer: readAnswer(text.slice(equals + 1)),
  };
}

function check({ operation, question, answer }: Written): void {
  const scope = operation === undefined ? 'service' : 'operation';
  const [problem] = checkAnswers({ [question]: answer }, scope);
  if (problem === undefined) {
    return;
  }
  const member = problem.pointer.split('/').slice(2).join('.');
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the option',
    subject: `--answer ${operation === undefined ? '' : `${operation}:`}${question}`,
    reason: member === '' ? problem.reason : `${member}: ${problem.reason}`,
    remedy: problem.remedy,
  });
}

/**
 * Reads the values of `--answer`: `duplicate-key=conflict`, `body-limit={"bytes":1024,"status":413}`,
 * `createOrder:duplicate-key=replace`.
 *
 * @throws ClocheError OPTION_INVALID for an unknown question, an impossible answer, and one that is given twice
 */
export function parseAnswers(texts: readonly string[]): Partial<Policy> {
  const answers: JsonObject = {};
  const operations = new Map<string, JsonObject>();
  for (const text of texts) {
    const written = split(text);
    check(written);
    const { operation, question, answer } = written;
    const place = operation === undefined ? answers : (operations.get(operation) ?? {});
    if (operation !== undefined) {
      operations.set(operation, place);
    }
    if (Object.hasOwn(place, question)) {
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'read the option',
        subject: `--answer ${operation === undefined ? '' : `${operation}:`}${question}`,
        reason: 'it is given twice',
        remedy: 'Give one answer to a question',
      });
    }
    place[question] = answer;
  }
  return {
    ...answers,
    ...(operations.size === 0 ? {} : { operations: Object.fromEntries(operations) }),
  };
}
