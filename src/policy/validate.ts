import type { Contract, Operation } from '../contract/contract.ts';
import type { DocumentProblem } from '../document/document.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { closestWord } from '../errors/suggest.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { compileSchema, type SchemaValidator } from '../schema/compile.ts';
import { describeSchemaProblem } from '../schema/describe-problem.ts';
import type { SchemaProblem } from '../schema/problems.ts';
import type { Policy } from './policy.ts';
import type { QuestionId } from './question.ts';
import { questions } from './questions/index.ts';

/** More of them are not listed. */
const mostListed = 10;

/**
 * Says which operations of a policy a contract does not have.
 *
 * @returns problems placed within the operations of the policy, by id
 */
function checkOperationIds(
  operations: Policy['operations'] = {},
  contract: Contract,
): readonly DocumentProblem[] {
  const ids = contract.operations.map(({ id }) => id);
  return Object.keys(operations)
    .filter((id) => !ids.includes(id))
    .map((id) => {
      const near = closestWord(id, ids);
      const listed = ids.slice(0, mostListed).join(', ');
      const more = ids.length > mostListed ? `, and ${ids.length - mostListed} more` : '';
      return {
        pointer: appendPointer('', id),
        reason: `the document has no operation "${id}"`,
        remedy: near === undefined ? `It has ${listed}${more}` : `Perhaps "${near}" was meant`,
      };
    });
}

/** What a schema calls its properties. */
interface Named {
  readonly names: Set<string>;
  /** Whether some are named by pattern alone. */
  hasPatterns: boolean;
}

/** Collects the names of properties anywhere in a schema, so that no branch of it is overlooked. */
function collectNames(value: JsonValue, found: Named): void {
  if (Array.isArray(value)) {
    value.forEach((item) => collectNames(item, found));
  } else if (isJsonObject(value)) {
    const { properties, required, patternProperties } = value;
    Object.keys(isJsonObject(properties) ? properties : {}).forEach((name) => found.names.add(name));
    (Array.isArray(required) ? required : [])
      .filter((name) => typeof name === 'string')
      .forEach((name) => found.names.add(name));
    found.hasPatterns ||= patternProperties !== undefined;
    Object.values(value).forEach((item) => collectNames(item, found));
  }
}

/** The properties of the bodies of operations; none where some body may hold what its schema does not name. */
function listNames(operations: readonly Operation[]): readonly string[] {
  const names = new Set<string>();
  const schemas = operations.flatMap(({ requestBody }) =>
    (requestBody?.media ?? []).map(({ schema }) => schema?.schema),
  );
  for (const schema of schemas) {
    const own: Named = { names: new Set(), hasPatterns: false };
    collectNames(schema ?? true, own);
    if (own.names.size === 0 || own.hasPatterns) return [];
    own.names.forEach((name) => names.add(name));
  }
  return [...names];
}

/**
 * Says which properties the answers to `constraints` name that no body of their operations has: such a bound would hold
 * nobody to anything.
 *
 * @returns problems placed as in a policy file
 */
export function checkPropertyNames(
  { constraints, operations = {} }: Partial<Policy>,
  contract: Contract,
): readonly DocumentProblem[] {
  const places = [
    { place: '/answers', bounds: constraints, of: contract.operations },
    ...Object.entries(operations).map(([id, answers]) => ({
      place: appendPointer('/operations', id),
      bounds: answers.constraints,
      of: contract.operations.filter((operation) => operation.id === id),
    })),
  ];
  return places.flatMap(({ place, bounds = {}, of }) => {
    const names = Object.keys(bounds).length === 0 ? [] : listNames(of);
    const strays = names.length === 0 ? [] : Object.keys(bounds).filter((name) => !names.includes(name));
    return strays.map((name): DocumentProblem => {
      const near = closestWord(name, names);
      return {
        pointer: appendPointer(place, 'constraints', name),
        reason: `no body has a property "${name}"`,
        remedy: near === undefined ? `There is ${names.join(', ')}` : `Perhaps "${near}" was meant`,
      };
    });
  });
}

/**
 * Says what a policy names that a contract does not have.
 *
 * @returns problems placed as in a policy file: `/operations/order`, `/answers/constraints/amount`
 */
export function checkAgainstContract(
  policy: Partial<Policy>,
  contract: Contract,
): readonly DocumentProblem[] {
  const unknown = checkOperationIds(policy.operations, contract).map((problem) => ({
    ...problem,
    pointer: `/operations${problem.pointer}`,
  }));
  return [...unknown, ...checkPropertyNames(policy, contract)];
}

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
  if (name === undefined || typeof value !== 'object' || value === null) return value;
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
      if (!(error instanceof ClocheError)) throw error;
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
  if (problems.length === 0) return id === 'constraints' ? checkFragments(answer) : [];
  if (id === 'accepted-tokens') return refuseToken(answer);
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

const ids: readonly QuestionId[] = Object.values(questions).map(({ id }) => id);
const known: ReadonlySet<string> = new Set(ids);

function isQuestion(name: string): name is QuestionId {
  return known.has(name);
}

/**
 * Says what is wrong with answers, by their questions: unknown questions, impossible answers.
 *
 * @param value - `{ "duplicate-key": "conflict" }`
 * @param scope - whether they are those of a whole service, or of one operation
 * @returns problems placed within the value; none where they can be used
 */
export function checkAnswers(value: JsonValue, scope: 'service' | 'operation'): readonly DocumentProblem[] {
  if (!isJsonObject(value)) {
    return [
      {
        pointer: '',
        reason: 'must be an object',
        remedy: 'Write questions with their answers, as in {"duplicate-key": "conflict"}',
      },
    ];
  }
  return Object.entries(value).flatMap(([name, answer]) => {
    const pointer = appendPointer('', name);
    if (!isQuestion(name)) {
      const near = closestWord(name, ids);
      const remedy = near === undefined ? `It takes ${ids.join(', ')}` : `Perhaps "${near}" was meant`;
      return [{ pointer, reason: `there is no question "${name}"`, remedy }];
    }
    if (scope === 'operation' && questions[name].scope === 'service') {
      return [
        {
          pointer,
          reason: 'it is about requests that reach no operation',
          remedy: 'Answer it for the whole service',
        },
      ];
    }
    return checkAnswer(name, answer).map((problem) => ({ ...problem, pointer: pointer + problem.pointer }));
  });
}
