import { ExactNumber } from '../json/exact-number.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { CompiledSchema } from '../schema/compile-schema.ts';

/** Valid to every reader, invalid to every reader, or valid to those for whom `format` asserts nothing. */
export type ValueVerdict = 'valid' | 'contested' | 'invalid';

function holdsExactNumber(value: JsonValue): boolean {
  if (value === null || typeof value !== 'object') {
    return false;
  }
  return value instanceof ExactNumber || Object.values(value).some(holdsExactNumber);
}

/**
 * Holds a value against a schema, as the strictest and as the most lenient reader would.
 *
 * @param schema - undefined allows anything
 */
export function judgeValue(schema: CompiledSchema | undefined, value: JsonValue): ValueVerdict {
  if (schema === undefined) {
    return 'valid';
  }
  const exact = holdsExactNumber(value);
  if (schema.validator({ formats: 'assert', integers: 'by-value' })(value, exact).length === 0) {
    return 'valid';
  }
  const problems = schema.validator({ formats: 'ignore', integers: 'by-value' })(value, exact);
  return problems.length === 0 ? 'contested' : 'invalid';
}
