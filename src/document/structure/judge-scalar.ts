import { compareNumbers } from '../../json/compare-numbers.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { evaluateFormat } from './evaluate-format.ts';
import type { StructureProblem } from './structure-problem.ts';
import { other, wrongValue } from './structure-words.ts';

const patternWords: Readonly<Record<string, string>> = {
  '^[a-zA-Z0-9._-]+$': 'may be made of letters, digits, ".", "_" and "-" only',
  '^[^{}]+$': 'must not hold braces',
};

/** What is wrong with a value by the keywords that do not look into it: `enum`, `const`, `pattern`, `format`, bounds. */
export function judgeScalar(input: {
  readonly schema: JsonObject;
  readonly value: JsonValue;
  readonly pointer: JsonPointer;
}): readonly StructureProblem[] {
  const { schema, value, pointer } = input;
  const found: StructureProblem[] = [];
  const allowed = Array.isArray(schema['enum'])
    ? schema['enum']
    : [schema['const']].filter((item) => item !== undefined);
  if (allowed.length > 0 && !allowed.some((item) => jsonEqual(item, value))) {
    found.push(wrongValue({ pointer, allowed, value }));
  }
  const { pattern, format, minimum, exclusiveMinimum } = schema;
  if (typeof value === 'string') {
    if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) {
      found.push(
        other(pointer, { reason: patternWords[pattern] ?? `must match ${pattern}`, remedy: 'Correct it' }),
      );
    }
    const words = typeof format === 'string' ? evaluateFormat(format, value) : undefined;
    if (words !== undefined) {
      found.push(other(pointer, { reason: words, remedy: 'Correct it' }));
    }
  }
  if (typeof value === 'number' || value instanceof ExactNumber) {
    // In draft 4, which the schema of 3.0 is written in, exclusiveMinimum is a boolean beside minimum.
    const isExclusive = exclusiveMinimum === true || typeof exclusiveMinimum === 'number';
    const bound = typeof exclusiveMinimum === 'number' ? exclusiveMinimum : minimum;
    const order = typeof bound === 'number' ? compareNumbers(value, bound) : 1;
    if (order < 0 || (isExclusive && order === 0)) {
      const words = isExclusive ? 'greater than' : 'at least';
      found.push(other(pointer, { reason: `must be ${words} ${Number(bound)}`, remedy: 'Correct it' }));
    }
  }
  return found;
}
