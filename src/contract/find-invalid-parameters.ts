import type { SchemaReading } from '../schema/schema-reading.ts';
import type { Parameter } from './parameter.ts';
import type { ParameterSource } from './parameter-source.ts';
import { createParameterCheck, type InvalidParameter } from './parameters/create-parameter-check.ts';

/**
 * The parameters of a request that the document does not allow (OpenAPI 3.1 §4.8.12).
 *
 * @param reading - how formats and integers are taken
 */
export function findInvalidParameters(
  parameters: readonly Parameter[],
  source: ParameterSource,
  reading: SchemaReading,
): readonly InvalidParameter[] {
  return parameters.flatMap((parameter) => createParameterCheck(parameter, reading)(source) ?? []);
}
