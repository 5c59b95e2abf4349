import type { DocumentProblem } from '../document/document.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { closestWord } from '../errors/suggest.ts';
import { appendPointer, resolvePointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { compileSchema, type SchemaValidator } from '../schema/compile.ts';
import { describeSchemaProblem } from '../schema/describe-problem.ts';
import type { SchemaProblem } from '../schema/problems.ts';
import type { BehaviourId } from './behaviour.ts';
import { behaviourIds, behaviours } from './behaviours/index.ts';

/** Returns the problems, with pointers, of the values of a service or of one operation: `{ "echo": "none" }`. */
export function checkAnswers(value: JsonValue, scope: 'service' | 'operation'): readonly DocumentProblem[] {
  if (!isJsonObject(value)) {
    const remedy = 'Write questions with their answers, as in {"duplicate-key": "conflict"}';
    return [{ pointer: '', reason: 'must be an object', remedy }];
  }
  return Object.entries(value).flatMap(([name, answer]) => {
    const pointer = appendPointer('', name);
    const id = behaviourIds.find((each) => each === name);
    if (id === undefined) {
      const remedy = meantOr(name, behaviourIds, `It takes ${behaviourIds.join(', ')}`);
      return [{ pointer, reason: `there is no question "${name}"`, remedy }];
    }
    if (scope === 'operation' && behaviours[id].scope === 'service') {
      const remedy = 'Answer it for the whole service';
      return [{ pointer, reason: 'it is about requests that reach no operation', remedy }];
    }
    return placeBelow(pointer, checkAnswer(id, answer));
  });
}

/** Returns the same problems with their pointers below a place. */
export function placeBelow(start: string, problems: readonly DocumentProblem[]): readonly DocumentProblem[] {
  return problems.map((problem) => ({ ...problem, pointer: start + problem.pointer }));
}

/** Returns a remedy that names the word that was probably meant. */
export function meantOr(word: string, known: readonly string[], otherwise: string): string {
  const near = closestWord(word, known);
  return near === undefined ? otherwise : `Perhaps "${near}" was meant`;
}

/** Returns the problems of a value, with pointers. The remedy is the word that was probably meant, or all values. */
export function checkAnswer(id: BehaviourId, answer: JsonValue): readonly DocumentProblem[] {
  const problems = validatorOf(id)(answer, true);
  if (problems.length === 0) return id === 'constraints' ? checkFragments(answer) : [];
  if (id === 'accepted-tokens') return refuseToken(answer);
  const isForm = isJsonObject(answer) || Array.isArray(answer);
  if (isForm && problems.every(({ keyword, pointer }) => keyword !== 'oneOf' || pointer !== '')) {
    return problems.map((problem) => toProblem(id, answer, problem));
  }
  const near = isForm ? undefined : meantWord(id, answer);
  const text = stringifyJson(answer);
  return [
    {
      pointer: '',
      reason: `${text.length <= longestShown ? text : 'this'} is no answer to this question`,
      remedy: near === undefined ? describeChoices(id) : `Perhaps ${stringifyJson(near)} was meant`,
    },
  ];
}

/** Messages do not repeat longer values. */
const longestShown = 40;

const validators = new Map<BehaviourId, SchemaValidator>();

function validatorOf(id: BehaviourId): SchemaValidator {
  const known =
    validators.get(id) ??
    compileSchema({ schema: behaviours[id].schema, pointer: '' }).validator({
      formats: 'assert',
      integers: 'digits',
    });
  validators.set(id, known);
  return known;
}

/** Returns the branches of a schema, or the schema itself if it has none. */
function branchesOf({ oneOf, ...rest }: JsonObject): readonly JsonObject[] {
  return Array.isArray(oneOf) ? oneOf.filter(isJsonObject) : [rest];
}

/** Returns the values that are one word or number each. */
function listWords(id: BehaviourId): readonly JsonValue[] {
  return branchesOf(behaviours[id].schema).flatMap(({ const: word }) => (word === undefined ? [] : [word]));
}

/** Describes the possible values as a sentence: `It takes "none", or as {"perSecond":50}`. */
function describeChoices(id: BehaviourId): string {
  const words = listWords(id).map((word) => stringifyJson(word));
  // `as`: a value is JSON, only read-only.
  const representatives = behaviours[id].representatives as unknown as readonly JsonValue[];
  const example = representatives.findLast((answer) => !words.includes(stringifyJson(answer)));
  const form = example === undefined ? [] : [stringifyJson(example)];
  return words.length === 0
    ? `Write it as in ${form.join('')}`
    : `It takes ${[...words, ...form].join(', ')}`;
}

function meantWord(id: BehaviourId, answer: JsonValue): JsonValue | undefined {
  const toText = (value: JsonValue): string => (typeof value === 'string' ? value : stringifyJson(value));
  const words = listWords(id);
  const near = closestWord(toText(answer), words.map(toText));
  return words.find((word) => toText(word) === near);
}

function refuseToken(answer: JsonValue): readonly DocumentProblem[] {
  const near = typeof answer === 'string' ? meantWord('accepted-tokens', answer) : undefined;
  // The value may be a token. Therefore the message does not repeat it.
  const reason = 'must be "any" or "listed": a policy never holds a token';
  const remedy =
    near === undefined
      ? 'Write "listed", and give the tokens with --token or --token-file'
      : `Perhaps ${stringifyJson(near)} was meant`;
  return [{ pointer: '', reason, remedy }];
}

function knownMembers(id: BehaviourId): readonly string[] {
  const { schema } = behaviours[id];
  const members = [...branchesOf(schema), schema['additionalProperties']].map((branch) =>
    isJsonObject(branch) ? branch['properties'] : undefined,
  );
  return members.flatMap((properties) => (isJsonObject(properties) ? Object.keys(properties) : []));
}

function toProblem(id: BehaviourId, answer: JsonValue, problem: SchemaProblem): DocumentProblem {
  return toDocumentProblem(answer, problem, { names: knownMembers(id), remedy: describeChoices(id) });
}

/** Describes a problem of a setting. For an unknown name, the remedy is the one of `names` that was probably meant. */
export function toDocumentProblem(
  whole: JsonValue,
  problem: SchemaProblem,
  { names, remedy }: { readonly names: readonly string[]; readonly remedy: string },
): DocumentProblem {
  const { pointer } = problem;
  if (problem.keyword === 'additionalProperties') {
    const { property } = problem.params;
    return {
      pointer: appendPointer(pointer, property),
      reason: `there is no "${property}"`,
      remedy: meantOr(property, names, remedy),
    };
  }
  if (problem.keyword === 'required') {
    return { pointer, reason: `must have "${problem.params.property}"`, remedy };
  }
  const value = resolvePointer(whole, pointer) ?? whole;
  const words = describeSchemaProblem({ problem: { ...problem, pointer: '' }, value, subject: '' });
  return { pointer, reason: words.trim(), remedy };
}

/** Returns the problems of schema fragments that cannot be used. */
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
      const reason = `is no JSON Schema that can be used: ${error.reason.replace(/\.$/u, '')}`;
      const remedy = 'Write keywords such as maxLength or pattern, without references';
      return [{ pointer: appendPointer('', name), reason, remedy }];
    }
  });
}
