import type { DocumentProblem } from '../document/document-problem.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { closestWord } from '../errors/closest-word.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { compileSchema, type SchemaValidator } from '../schema/compile-schema.ts';
import { describeSchemaProblem } from '../schema/describe-schema-problem.ts';
import type { SchemaProblem } from '../schema/schema-problem.ts';
import type { QuestionId } from './question-id.ts';
import { questions } from './questions.ts';

/** A longer value is not repeated. */
const longestShown = 40;

const validators = new Map<QuestionId, SchemaValidator>();

function validatorOf(id: QuestionId): SchemaValidator {
  const known =
    validators.get(id) ??
    compileSchema({ schema: questions[id].schema, pointer: '' }).validator({
      formats: 'assert',
      integers: 'digits',
    });
  validators.set(id, known);
  return known;
}

function show(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length <= longestShown ? text : 'this';
}

/** The branches of a schema, or the schema itself where it has none. */
function branchesOf({ oneOf, ...rest }: JsonObject): readonly JsonObject[] {
  return Array.isArray(oneOf) ? oneOf.filter(isJsonObject) : [rest];
}

/** The answers that are one word or number each. */
function listWords(id: QuestionId): readonly JsonValue[] {
  return branchesOf(questions[id].schema).flatMap(({ const: word }) => (word === undefined ? [] : [word]));
}

/** What an answer may be, as a sentence: `It takes "none", or as {"perSecond":50}`. */
function describeChoices(id: QuestionId): string {
  const words = listWords(id).map(stringifyJson);
  // `as`: an answer is JSON, but for being read only.
  const representatives = questions[id].representatives as unknown as readonly JsonValue[];
  const example = representatives.findLast((answer) => typeof answer === 'object');
  const form = example === undefined ? [] : [stringifyJson(example)];
  return words.length === 0
    ? `Write it as in ${form.join('')}`
    : `It takes ${[...words, ...form].join(', ')}`;
}

function meantWord(id: QuestionId, answer: JsonValue): JsonValue | undefined {
  const toText = (value: JsonValue): string => (typeof value === 'string' ? value : stringifyJson(value));
  const words = listWords(id);
  const near = closestWord(toText(answer), words.map(toText));
  return words.find((word) => toText(word) === near);
}

function refuseToken(answer: JsonValue): readonly DocumentProblem[] {
  const near = typeof answer === 'string' ? meantWord('accepted-tokens', answer) : undefined;
  // What stands there may be a token, and is not repeated.
  const reason = 'must be "any" or "listed": a policy never holds a token';
  const remedy =
    near === undefined
      ? 'Write "listed", and give the tokens with --token or --token-file'
      : `Perhaps ${stringifyJson(near)} was meant`;
  return [{ pointer: '', reason, remedy }];
}

function valueAt(value: JsonValue, pointer: JsonPointer): JsonValue {
  const [name, ...rest] = pointer.split('/').slice(1);
  if (name === undefined || typeof value !== 'object' || value === null) {
    return value;
  }
  const member = Array.isArray(value) ? value[Number(name)] : isJsonObject(value) ? value[name] : undefined;
  return member === undefined ? value : valueAt(member, rest.map((token) => `/${token}`).join(''));
}

function knownMembers(id: QuestionId): readonly string[] {
  const { schema } = questions[id];
  const members = [...branchesOf(schema), schema['additionalProperties']].map((branch) =>
    isJsonObject(branch) ? branch['properties'] : undefined,
  );
  return members.flatMap((properties) => (isJsonObject(properties) ? Object.keys(properties) : []));
}

function toProblem(id: QuestionId, answer: JsonValue, problem: SchemaProblem): DocumentProblem {
  const remedy = describeChoices(id);
  if (problem.keyword === 'additionalProperties') {
    const { property } = problem.params;
    const near = closestWord(property, knownMembers(id));
    return {
      pointer: appendPointer(problem.pointer, property),
      reason: `there is no "${property}"`,
      remedy: near === undefined ? remedy : `Perhaps "${near}" was meant`,
    };
  }
  if (problem.keyword === 'required') {
    return { pointer: problem.pointer, reason: `must have "${problem.params.property}"`, remedy };
  }
  const value = valueAt(answer, problem.pointer);
  const words = describeSchemaProblem({ problem: { ...problem, pointer: '' }, value, subject: '' });
  return { pointer: problem.pointer, reason: words.trim(), remedy };
}

/** A fragment that no value could be held to. */
function checkFragments(answer: JsonValue): readonly DocumentProblem[] {
  return Object.entries(isJsonObject(answer) ? answer : {}).flatMap(([name, fragment]) => {
    try {
      compileSchema({ schema: isJsonObject(fragment) ? fragment : {}, pointer: '' }).validator({
        formats: 'assert',
        integers: 'by-value',
      });
      return [];
    } catch (error) {
      if (!(error instanceof ClocheError)) {
        throw error;
      }
      return [
        {
          pointer: appendPointer('', name),
          reason: `is no JSON Schema that can be used: ${error.reason.replace(/\.$/u, '')}`,
          remedy: 'Write keywords such as maxLength or pattern, without references',
        },
      ];
    }
  });
}

/**
 * Says what is wrong with an answer to a question, with the word that was probably meant, or what the answers are.
 *
 * @returns problems placed within the answer; none where it is one
 */
export function checkAnswer(id: QuestionId, answer: JsonValue): readonly DocumentProblem[] {
  const problems = validatorOf(id)(answer, true);
  if (problems.length === 0) {
    return id === 'constraints' ? checkFragments(answer) : [];
  }
  if (id === 'accepted-tokens') {
    return refuseToken(answer);
  }
  const isForm = isJsonObject(answer) || Array.isArray(answer);
  if (isForm && problems.every(({ keyword, pointer }) => keyword !== 'oneOf' || pointer !== '')) {
    return problems.map((problem) => toProblem(id, answer, problem));
  }
  const near = isForm ? undefined : meantWord(id, answer);
  return [
    {
      pointer: '',
      reason: `${show(answer)} is no answer to this question`,
      remedy: near === undefined ? describeChoices(id) : `Perhaps ${stringifyJson(near)} was meant`,
    },
  ];
}
