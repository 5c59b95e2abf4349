import type { FuncKeywordDefinition } from 'ajv';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import { compareNumbers, ExactNumber, isInteger, isMultipleOf } from '../json/exact-number.ts';
import { isJsonNumber, isJsonObject, jsonEqual, type JsonValue } from '../json/value.ts';
import { jsonTypeOf, valueKey } from './walk.ts';

/**
 * Keywords that the compiler implements incorrectly or slowly, with the names of their replacements in prepared
 * schemas.
 */
export const exactKeywordNames = {
  const: 'exactConst',
  enum: 'exactEnum',
  multipleOf: 'exactMultipleOf',
  uniqueItems: 'exactUniqueItems',
} as const;

/** A range of integers, including both ends. */
export interface IntegerRange {
  readonly minimum: ExactNumber;
  readonly maximum: ExactNumber;
}

/** The integer formats of the OpenAPI format registry, by name. */
export const integerFormats: ReadonlyMap<string, IntegerRange> = new Map([
  ['int32', { minimum: new ExactNumber('-2147483648'), maximum: new ExactNumber('2147483647') }],
  [
    'int64',
    { minimum: new ExactNumber('-9223372036854775808'), maximum: new ExactNumber('9223372036854775807') },
  ],
]);

/** Returns whether a JSON number is an integer in a range, compared to the last digit. */
function isIntegerInRange(value: number | ExactNumber, range: IntegerRange): boolean {
  if (Number.isSafeInteger(value) && range === integerFormats.get('int64')) return true;
  return (
    isInteger(value) && compareNumbers(value, range.minimum) >= 0 && compareNumbers(value, range.maximum) <= 0
  );
}

/** Checks one keyword. Returns the parameters of each problem, in the form of the compiler. */
type Check = (value: JsonValue) => readonly Readonly<Record<string, JsonValue>>[];

const nothing: ReturnType<Check> = [];

function defineKeyword(name: string, toCheck: (asked: JsonValue) => Check): FuncKeywordDefinition {
  return {
    keyword: name,
    errors: true,
    compile(asked: JsonValue, parentSchema): DataValidateFunction {
      const check = toCheck(asked);
      const validate: DataValidateFunction = (value: JsonValue) => {
        const failures = check(value);
        if (failures.length === 0) return true;
        validate.errors = failures.map((params) => ({ keyword: name, params, parentSchema }));
        return false;
      };
      return validate;
    },
  };
}

function checkType(asked: JsonValue): Check {
  const { types: named = [], digits = false } = isJsonObject(asked) ? asked : {};
  const types = Array.isArray(named) ? named : [named];
  const known = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
  const stray = types.find((type) => typeof type !== 'string' || !known.includes(type));
  if (stray !== undefined) throw new Error(`${JSON.stringify(stray)} is no type`);
  const isWrittenAsInteger = (value: JsonValue): boolean =>
    isJsonNumber(value) && (digits === true ? /^-?\d+$/u.test(String(value)) : isInteger(value));
  return (value) => {
    const fits =
      types.includes(jsonTypeOf(value)) || (types.includes('integer') && isWrittenAsInteger(value));
    return fits ? nothing : [{ type: types }];
  };
}

function checkLimit(limit: JsonValue, holds: (order: number) => boolean): Check {
  if (!isJsonNumber(limit)) throw new Error('a bound must be a number');
  return (value) => (!isJsonNumber(value) || holds(compareNumbers(value, limit)) ? nothing : [{ limit }]);
}

function checkMultipleOf(divisor: JsonValue): Check {
  if (!isJsonNumber(divisor) || compareNumbers(divisor, 0) <= 0) {
    throw new Error('multipleOf must be a number greater than 0');
  }
  const isMultiple = (value: number | ExactNumber): boolean =>
    Number.isSafeInteger(value) && Number.isSafeInteger(divisor)
      ? Number(value) % Number(divisor) === 0
      : isMultipleOf(value, divisor);
  return (value) => (!isJsonNumber(value) || isMultiple(value) ? nothing : [{ limit: divisor }]);
}

function checkEnum(values: JsonValue): Check {
  if (!Array.isArray(values)) throw new Error('enum must be an array');
  return (value) => (values.some((allowed) => jsonEqual(value, allowed)) ? nothing : [{ values }]);
}

function checkUniqueItems(asked: JsonValue): Check {
  return (value) => {
    if (asked !== true || !Array.isArray(value)) return nothing;
    const seen = new Map<string, number>();
    for (const [index, item] of value.entries()) {
      const key = valueKey(item);
      const first = seen.get(key);
      if (first !== undefined) return [{ i: first, j: index }];
      seen.set(key, index);
    }
    return nothing;
  };
}

function checkRequired(names: JsonValue): Check {
  if (!Array.isArray(names)) throw new Error('required must be an array');
  const wanted = names.filter((name) => typeof name === 'string');
  return (value) =>
    isJsonObject(value)
      ? wanted.filter((name) => !Object.hasOwn(value, name)).map((name) => ({ missingProperty: name }))
      : nothing;
}

function checkIntegerFormat(format: JsonValue): Check {
  const range = typeof format === 'string' ? integerFormats.get(format) : undefined;
  return (value) =>
    range === undefined || !isJsonNumber(value) || isIntegerInRange(value, range) ? nothing : [{ format }];
}

type CheckedKeyword =
  | 'type'
  | 'required'
  | 'integerFormat'
  | 'maximum'
  | 'minimum'
  | `exclusive${'Maximum' | 'Minimum'}`
  | keyof typeof exactKeywordNames;

/** The checks of keywords that compare exact numbers by decimal value, by keyword. */
export const checks: Readonly<Record<CheckedKeyword, (asked: JsonValue) => Check>> = {
  type: checkType,
  const: (value) => checkEnum([value]),
  enum: checkEnum,
  required: checkRequired,
  maximum: (limit) => checkLimit(limit, (order) => order <= 0),
  minimum: (limit) => checkLimit(limit, (order) => order >= 0),
  exclusiveMaximum: (limit) => checkLimit(limit, (order) => order < 0),
  exclusiveMinimum: (limit) => checkLimit(limit, (order) => order > 0),
  multipleOf: checkMultipleOf,
  uniqueItems: checkUniqueItems,
  integerFormat: checkIntegerFormat,
};

/** Returns the replacement keywords in prepared schemas: those of {@link exactKeywordNames}, and `integerFormat`. */
export function exactKeywords(): readonly FuncKeywordDefinition[] {
  return [
    defineKeyword(exactKeywordNames.multipleOf, checks.multipleOf),
    defineKeyword(exactKeywordNames.enum, checks.enum),
    defineKeyword(exactKeywordNames.const, checks.const),
    defineKeyword(exactKeywordNames.uniqueItems, checks.uniqueItems),
    defineKeyword('integerFormat', checks.integerFormat),
  ];
}
