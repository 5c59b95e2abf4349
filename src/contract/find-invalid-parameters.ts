import { ExactNumber } from '../json/exact-number.ts';
import type { JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { describeSchemaProblem } from '../schema/describe-schema-problem.ts';
import type { SchemaReading } from '../schema/schema-reading.ts';
import type { Parameter } from './parameter.ts';
import type { ParameterSource } from './parameter-source.ts';
import { readParameter } from './read-parameter.ts';

/** A parameter that the document does not allow as it is, or that is missing. */
export interface InvalidParameter {
  readonly name: string;
  readonly in: Parameter['in'];
  /** The place of the parameter in the document. */
  readonly pointer: JsonPointer;
  /** The keyword that is broken; `required` where the parameter is missing. */
  readonly keyword: string;
  /** In words: `the query parameter "limit" must be an integer, but is a string`. */
  readonly reason: string;
}

function holdsExactNumber(value: JsonValue): boolean {
  if (value === null || typeof value !== 'object') {
    return false;
  }
  return value instanceof ExactNumber || Object.values(value).some(holdsExactNumber);
}

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
  return parameters.flatMap((parameter): InvalidParameter[] => {
    const { name, in: place, pointer, required, schema } = parameter;
    const value = readParameter(parameter, source);
    const title = `the ${place} parameter "${name}"`;
    if (value === undefined) {
      return required
        ? [{ name, in: place, pointer, keyword: 'required', reason: `${title} is required, but missing` }]
        : [];
    }
    const [problem] = schema?.validator(reading)(value, holdsExactNumber(value)) ?? [];
    if (problem === undefined) {
      return [];
    }
    const reason = describeSchemaProblem({ problem, value, subject: title });
    return [{ name, in: place, pointer, keyword: problem.keyword, reason }];
  });
}
