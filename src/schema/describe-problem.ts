import { joinWords } from '../errors/suggest.ts';
import { isInteger } from '../json/exact-number.ts';
import { appendPointer, resolvePointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonNumber, type JsonValue } from '../json/value.ts';
import { integerFormats } from './exact-keywords.ts';
import type { SchemaProblem } from './problems.ts';
import { jsonTypeOf } from './walk.ts';

/** The maximum length of a displayed value. A longer one does not help, and may be a secret. */
const longestShown = 40;

const nouns: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

function show(value: JsonValue): string | undefined {
  const text = stringifyJson(value);
  return text.length <= longestShown ? text : undefined;
}

function count(limit: number, noun: string): string {
  return `${limit} ${limit === 1 ? noun : `${noun.replace(/y$/u, 'ie')}s`}`;
}

function butIs(value: JsonValue | undefined): string {
  const shown = value === undefined ? undefined : show(value);
  return shown === undefined ? '' : `, but is ${shown}`;
}

function integerRange(format: string, value: JsonValue | undefined): string | undefined {
  const range = integerFormats.get(format);
  if (range === undefined || !isJsonNumber(value)) return undefined;
  if (!isInteger(value)) return `must be an integer (${format})`;
  return String(value).startsWith('-')
    ? `must be at least ${range.minimum.text} (${format})`
    : `must be at most ${range.maximum.text} (${format})`;
}

const bounds = {
  minimum: 'at least',
  exclusiveMinimum: 'greater than',
  maximum: 'at most',
  exclusiveMaximum: 'less than',
  multipleOf: 'a multiple of',
};
const sizedNouns: Readonly<Record<string, string>> = {
  Length: 'character',
  Items: 'item',
  Properties: 'property',
};

/** Returns the nouns of the types that other alternatives accept. */
function otherNouns({ otherTypes = [] }: SchemaProblem): readonly string[] {
  return otherTypes.map((name) => nouns[name] ?? name);
}

function orBe(problem: SchemaProblem): string {
  const others = otherNouns(problem);
  return others.length === 0 ? '' : ` or be ${joinWords(others, 'or')}`;
}

/** Returns the problem without its place: `must be an integer, but is a string`. */
function predicate(problem: SchemaProblem, value: JsonValue | undefined): string {
  switch (problem.keyword) {
    case 'type': {
      const { types } = problem.params;
      const type = value === undefined ? 'nothing' : jsonTypeOf(value);
      const isFraction = value !== undefined && type === 'number' && types.includes('integer');
      const actual = isFraction ? show(value) : nouns[type];
      return `must be ${joinWords(
        types.map((name) => nouns[name] ?? name),
        'or',
      )}${actual === undefined ? '' : `, but is ${actual}`}`;
    }
    case 'required':
    case 'dependentRequired':
      return 'is required, but missing';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a property that may stand here';
    case 'propertyNames':
      return 'is not a name that a property may have here';
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return `must be ${bounds[problem.keyword]} ${String(problem.params.limit)}${orBe(problem)}${butIs(value)}`;
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties': {
      const least = problem.keyword.startsWith('min') ? 'at least' : 'at most';
      const noun = sizedNouns[problem.keyword.slice(3)] ?? '';
      return `must have ${least} ${count(problem.params.limit, noun)}${orBe(problem)}, but has ${lengthOf(value)}`;
    }
    case 'minContains':
      return `must have at least ${count(problem.params.limit, 'item')} of the kind that it must contain`;
    case 'maxContains':
      return `must not have more than ${count(problem.params.limit, 'item')} of the kind that it must contain`;
    case 'pattern':
      return `must match the pattern ${problem.params.name}${orBe(problem)}${butIs(value)}`;
    case 'format':
      return `${integerRange(problem.params.name, value) ?? `must have the format ${problem.params.name}`}${orBe(problem)}${butIs(value)}`;
    case 'enum':
    case 'const': {
      const allowed = problem.params.values.map((item) => show(item));
      const isShort = allowed.length <= 10 && allowed.every((text) => text !== undefined);
      const values = isShort ? allowed.map(String) : ['one of the values that are allowed'];
      const words = joinWords([...values, ...otherNouns(problem)], 'or');
      return `must be ${words}${butIs(value)}`;
    }
    case 'uniqueItems':
      return `must not hold an item twice, but items ${problem.params.indices.join(' and ')} are equal`;
    case 'anyOf':
    case 'oneOf':
      if (problem.params.matching > 0) {
        return `must match only one of the alternatives, but matches ${problem.params.matching}`;
      }
      return problem.params.properties.length > 0
        ? `must have ${joinWords(
            problem.params.properties.map((name) => JSON.stringify(name)),
            'or',
          )}`
        : 'matches none of the alternatives';
    case 'not':
      return `matches what is excluded${butIs(value)}`;
    case 'never':
      return 'may not stand here';
  }
}

function lengthOf(value: JsonValue | undefined): number {
  // In characters, as in JSON Schema, not in UTF-16 code units.
  if (typeof value === 'string') return Array.from(value).length;
  return Array.isArray(value) ? value.length : Object.keys(value ?? {}).length;
}

/**
 * Describes a problem of a value: `/id must be an integer, but is a string`. The whole value is named `the body` or
 * `subject`. At most 40 characters of the value are shown.
 */
export function describeSchemaProblem(input: {
  readonly problem: SchemaProblem;
  readonly value: JsonValue;
  readonly subject?: string;
}): string {
  const { problem, value, subject = 'the body' } = input;
  const pointer =
    'property' in problem.params ? appendPointer(problem.pointer, problem.params.property) : problem.pointer;
  const place = pointer.length > 3 * longestShown ? `${pointer.slice(0, 3 * longestShown)}…` : pointer;
  return `${place === '' ? subject : place} ${predicate(problem, resolvePointer(value, problem.pointer))}`;
}
