import { closestWord, joinWords } from '../errors/suggest.ts';
import { appendPointer, type JsonPointer, pointerTokens } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonNumber, type JsonValue } from '../json/value.ts';
import type { DocumentProblem } from './document.ts';

/** A problem found by the structure evaluator, with the data for choosing the most likely branch. */
export interface StructureProblem extends DocumentProblem {
  readonly keyword: 'type' | 'value' | 'missing' | 'unknown' | 'repeated' | 'other';
  /** The pointer of the value that was checked; the pointer of the problem may lead to one of its members. */
  readonly judged: JsonPointer;
  /** Types, values or names that would be valid. */
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

/** Describes a value in words for someone who writes YAML: `a list`, `the number 5`. */
export function describeValueKind(value: JsonValue): string {
  if (value === null) return 'empty';
  if (typeof value === 'boolean') return String(value);
  if (isJsonNumber(value)) return `the number ${String(value)}`;
  if (typeof value === 'string') return value.length <= 40 ? JSON.stringify(value) : 'a long string';
  return nouns[Array.isArray(value) ? 'array' : 'object'] ?? '';
}

function quote(names: readonly string[]): readonly string[] {
  return names.map((name) => JSON.stringify(name));
}

/** Creates a problem: the value has a type that is not allowed there. */
export function wrongType(
  pointer: JsonPointer,
  types: readonly string[],
  value: JsonValue,
): StructureProblem {
  const wanted = types.map((type) => nouns[type] ?? type);
  // YAML does not read it as a string.
  const isUnquoted = typeof value === 'boolean' || isJsonNumber(value);
  const remedy = types.includes('string') && isUnquoted ? 'Put it in quotes' : undefined;
  const problem = other(
    pointer,
    `must be ${joinWords(wanted, 'or')}, but is ${describeValueKind(value)}`,
    remedy,
  );
  return { ...problem, keyword: 'type', expected: types };
}

/** Creates a problem: the value is not one of the allowed values. */
export function wrongValue(
  pointer: JsonPointer,
  allowed: readonly JsonValue[],
  value: JsonValue,
): StructureProblem {
  const words = allowed.map((item) => stringifyJson(item));
  const names = allowed.filter((item) => typeof item === 'string');
  const closest = typeof value === 'string' ? closestWord(value, names) : undefined;
  const remedy = closest === undefined ? undefined : `Write ${JSON.stringify(closest)} if that was meant`;
  const problem = other(
    pointer,
    `must be ${joinWords(words, 'or')}, but is ${describeValueKind(value)}`,
    remedy,
  );
  return { ...problem, keyword: 'value', expected: allowed };
}

/** Creates a problem: the object lacks a property. If there are several names, one of them is enough. */
export function missingProperty(pointer: JsonPointer, names: readonly string[]): StructureProblem {
  if (names.join() === 'default' && pointerTokens(pointer).at(-1) === 'responses') {
    return other(pointer, noResponse, writeStatus);
  }
  const addIt = names[0] === 'required' ? 'Add "required: true"' : 'Add it';
  const remedy = names.length > 1 ? 'Add one of them' : addIt;
  const problem = other(pointer, `must have ${joinWords(quote(names), 'or')}`, remedy);
  return { ...problem, keyword: 'missing', expected: names };
}

/** Creates a problem: the object has properties that exclude each other. */
export function excludedProperties(pointer: JsonPointer, names: readonly string[]): StructureProblem {
  const [only] = names.length === 1 ? names : [];
  return only === undefined
    ? other(pointer, `must not have both ${joinWords(quote(names), 'and')}`, 'Remove one of them')
    : other(appendPointer(pointer, only), 'is not allowed beside the other properties', 'Remove it');
}

/** Creates a problem: a property is not declared. `known` are the allowed properties and patterns. */
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

/** The reason for a Responses Object without a response. The published schema of 3.1 reports a missing `default`. */
export const noResponse = 'must have a response';

/** Fixes for a name that does not match a pattern of the published schemas. */
const patternRemedies: Readonly<Record<string, string>> = {
  '^/': 'Begin it with "/"',
  '^\\/': 'Begin it with "/"',
  '^[1-5](?:[0-9]{2}|XX)$': writeStatus,
  '^[1-5](?:\\d{2}|XX)$': writeStatus,
};

/** Returns a property name, or the names in a pattern such as `^(get|put)$`. */
function namesOf(known: string): readonly string[] {
  const [, names] = /^\^\(([\w|]+)\)\$$/u.exec(known) ?? [];
  return names?.split('|') ?? (known.startsWith('^') ? [] : [known]);
}

/** Descriptions of the values of known patterns, by the text of the pattern. */
export const patternWords: Readonly<Record<string, string>> = {
  '^[a-zA-Z0-9._-]+$': 'may contain only letters, digits, ".", "_" and "-"',
  '^[^{}]+$': 'must not contain braces',
};

/** Creates any other problem. */
export function other(pointer: JsonPointer, reason: string, remedy = 'Correct it'): StructureProblem {
  return { keyword: 'other', pointer, judged: pointer, expected: [], reason, remedy };
}
