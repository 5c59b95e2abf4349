import { holdsExactNumber } from '../../json/holds-exact-number.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { ConstraintsAnswer } from '../../policy/constraints.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile-schema.ts';

const compiled = new WeakMap<ConstraintsAnswer, CompiledSchema>();

/**
 * Whether a value is one that a policy refuses although its schema accepts it.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where a fragment of the policy is no JSON Schema
 */
export function breaksConstraints(constraints: ConstraintsAnswer, value: JsonValue): boolean {
  if (Object.keys(constraints).length === 0) {
    return false;
  }
  const known =
    compiled.get(constraints) ?? compileSchema({ schema: { properties: { ...constraints } }, pointer: '' });
  compiled.set(constraints, known);
  const validate = known.validator({ formats: 'ignore', integers: 'by-value' });
  return validate(value, holdsExactNumber(value)).length > 0;
}
