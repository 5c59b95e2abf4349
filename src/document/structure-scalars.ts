import { compareNumbers, isInteger } from '../json/exact-number.ts';
import type { JsonPointer } from '../json/pointer.ts';
import { isJsonNumber, isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../json/value.ts';
import { other, patternWords, type StructureProblem, wrongValue } from './structure-problems.ts';

/** A keyword that does not look into a value. The words for a wrong value are created on demand. */
export interface ScalarCheck {
  passes(value: JsonValue): boolean;
  describe(value: JsonValue, pointer: JsonPointer): StructureProblem;
}

const typeTests: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  array: Array.isArray,
  integer: (value) => isJsonNumber(value) && isInteger(value),
  null: (value) => value === null,
  number: isJsonNumber,
  object: isJsonObject,
};

/** Returns whether a value has a type of JSON Schema. Whether a number is an integer depends on its value. */
export function isOfType(value: JsonValue, type: string): boolean {
  return typeTests[type]?.(value) ?? typeof value === type;
}

/** Returns checks for the keywords that do not look into a value: `enum`, `const`, `pattern`, `format`, bounds. */
export function toScalarChecks(schema: JsonObject): readonly ScalarCheck[] {
  const { const: constant, enum: values = constant, pattern, format, minimum, exclusiveMinimum } = schema;
  const checks: ScalarCheck[] = [];
  const allowed = values === undefined ? [] : [values].flat();
  if (allowed.length > 0) {
    checks.push({
      passes: (value) => allowed.some((item) => jsonEqual(item, value)),
      describe: (value, pointer) => wrongValue(pointer, allowed, value),
    });
  }
  if (typeof pattern === 'string') {
    const form = new RegExp(pattern, 'u');
    checks.push({
      passes: (value) => typeof value !== 'string' || form.test(value),
      describe: (_value, pointer) => other(pointer, patternWords[pattern] ?? `must match ${pattern}`),
    });
  }
  if (format !== undefined) {
    const wordsFor = (value: JsonValue): string | undefined =>
      typeof value === 'string' ? evaluateFormat(format, value) : undefined;
    checks.push({
      passes: (value) => wordsFor(value) === undefined,
      describe: (value, pointer) => other(pointer, wordsFor(value) ?? ''),
    });
  }
  // In draft 4, the dialect of the schema of 3.0, exclusiveMinimum is a boolean beside minimum.
  const isExclusive = exclusiveMinimum === true || typeof exclusiveMinimum === 'number';
  const bound = typeof exclusiveMinimum === 'number' ? exclusiveMinimum : minimum;
  if (typeof bound === 'number') {
    checks.push({
      passes: (value) => {
        const order = isJsonNumber(value) ? compareNumbers(value, bound) : 1;
        return order > 0 || (order === 0 && !isExclusive);
      },
      describe: (_value, pointer) =>
        other(pointer, `must be ${isExclusive ? 'greater than' : 'at least'} ${bound}`),
    });
  }
  return checks;
}

/** Returns the requirement that a text violates. It is lenient like most readers, about braces in a URL. */
function evaluateFormat(format: JsonValue | undefined, text: string): string | undefined {
  if (format === 'regex') return isPattern(text) ? undefined : 'must be a regular expression';
  if (format === 'email') return /^[^\s@]+@[^\s@]+$/u.test(text) ? undefined : 'must be an e-mail address';
  if (format !== 'uri' && format !== 'uri-reference') return undefined;
  // References are already decoded here.
  return /^[^\s<>"\\^`#]*(?:#.*)?$/su.test(text) ? undefined : 'must be a URL';
}

function isPattern(text: string): boolean {
  // `a\-b` compiles only without the flag `u`, `[\u{10000}-\u{10FFFF}]` only with it.
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(text, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}
