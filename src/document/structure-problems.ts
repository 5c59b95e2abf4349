import { closestWord, joinWords } from '../errors/suggest.ts';
import { appendPointer, type JsonPointer, pointerTokens } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonNumber, type JsonValue } from '../json/value.ts';
import type { DocumentProblem } from './document.ts';

/** A problem as the evaluator of structures finds it: with what it needs to tell likely branches from others. */
export interface StructureProblem extends DocumentProblem {
  readonly keyword: 'type' | 'value' | 'missing' | 'unknown' | 'repeated' | 'other';
  /** The pointer of the value that was judged; that of the problem may lead to a member of it. */
  readonly judged: JsonPointer;
  /** Types, values or names that would do. */
  readonly expected: readonly JsonValue[];
}

const nouns: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/** What a value is, in the words of someone who writes YAML. */
function nounOf(value: JsonValue): string {
  if (value === null) return 'empty';
  if (typeof value === 'boolean') return String(value);
  if (isJsonNumber(value)) return `the number ${String(value)}`;
  if (typeof value === 'string') return value.length <= 40 ? JSON.stringify(value) : 'a long string';
  return nouns[Array.isArray(value) ? 'array' : 'object'] ?? '';
}

function quote(names: readonly string[]): readonly string[] {
  return names.map((name) => JSON.stringify(name));
}

/** The value has a type that may not stand there. */
export function wrongType(
  pointer: JsonPointer,
  types: readonly string[],
  value: JsonValue,
): StructureProblem {
  const wanted = types.map((type) => nouns[type] ?? type);
  // YAML reads it as something else than a string.
  const isUnquoted = typeof value === 'boolean' || isJsonNumber(value);
  const remedy = types.includes('string') && isUnquoted ? 'Put it in quotes' : undefined;
  const problem = other(pointer, `must be ${joinWords(wanted, 'or')}, but is ${nounOf(value)}`, remedy);
  return { ...problem, keyword: 'type', expected: types };
}

/** The value is not one of those that may stand there. */
export function wrongValue(
  pointer: JsonPointer,
  allowed: readonly JsonValue[],
  value: JsonValue,
): StructureProblem {
  const words = allowed.map((item) => stringifyJson(item));
  const names = allowed.filter((item) => typeof item === 'string');
  const closest = typeof value === 'string' ? closestWord(value, names) : undefined;
  const remedy = closest === undefined ? undefined : `Write ${JSON.stringify(closest)} if that was meant`;
  const problem = other(pointer, `must be ${joinWords(words, 'or')}, but is ${nounOf(value)}`, remedy);
  return { ...problem, keyword: 'value', expected: allowed };
}

/** The object lacks a property; where several names are given, one of them would do. */
export function missingProperty(pointer: JsonPointer, names: readonly string[]): StructureProblem {
  if (names.join() === 'default' && pointerTokens(pointer).at(-1) === 'responses') {
    return other(pointer, noResponse, writeStatus);
  }
  const addIt = names[0] === 'required' ? 'Add "required: true"' : 'Add it';
  const remedy = names.length > 1 ? 'Add one of them' : addIt;
  const problem = other(pointer, `must have ${joinWords(quote(names), 'or')}`, remedy);
  return { ...problem, keyword: 'missing', expected: names };
}

/** The object has properties of which not all may stand there. */
export function excludedProperties(pointer: JsonPointer, names: readonly string[]): StructureProblem {
  const [only] = names.length === 1 ? names : [];
  return only === undefined
    ? other(pointer, `must not have both ${joinWords(quote(names), 'and')}`, 'Remove one of them')
    : other(appendPointer(pointer, only), 'is not allowed beside the other properties', 'Remove it');
}

/** The object has a property that nothing declares; `known` are the properties and patterns that may stand there. */
export function unknownProperty(
  pointer: JsonPointer,
  name: string,
  known: readonly string[],
): StructureProblem {
  const closest = closestWord(name, known.flatMap(namesOf));
  const remedy =
    known.map((pattern) => patternRemedies[pattern]).find((words) => words !== undefined) ??
    (closest === undefined
      ? 'Remove it, or begin its name with x-'
      : `Write ${JSON.stringify(closest)} if that was meant`);
  return {
    ...other(pointer, 'unknown property', remedy),
    keyword: 'unknown',
    expected: closest === undefined ? [] : [closest],
    pointer: appendPointer(pointer, name),
  };
}

const writeStatus = 'Write a status code such as 200, a range such as 4XX, or default';

/** A Responses Object without a response: the published schema of 3.1 then asks for `default`. */
export const noResponse = 'must have a response';

/** What to do about a name that should have matched a pattern of the published schemas. */
const patternRemedies: Readonly<Record<string, string>> = {
  '^/': 'Begin it with "/"',
  '^\\/': 'Begin it with "/"',
  '^[1-5](?:[0-9]{2}|XX)$': writeStatus,
  '^[1-5](?:\\d{2}|XX)$': writeStatus,
};

/** A property as it is, and the names in a pattern such as `^(get|put)$`. */
function namesOf(known: string): readonly string[] {
  const [, names] = /^\^\(([\w|]+)\)\$$/u.exec(known) ?? [];
  return names?.split('|') ?? (known.startsWith('^') ? [] : [known]);
}

/** What the values of a known pattern are, in words, by the text of the pattern. */
export const patternWords: Readonly<Record<string, string>> = {
  '^[a-zA-Z0-9._-]+$': 'may contain only letters, digits, ".", "_" and "-"',
  '^[^{}]+$': 'must not contain braces',
};

/** Anything else. */
export function other(pointer: JsonPointer, reason: string, remedy = 'Correct it'): StructureProblem {
  return { keyword: 'other', pointer, judged: pointer, expected: [], reason, remedy };
}
