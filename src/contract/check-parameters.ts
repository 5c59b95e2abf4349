import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { holdsExactNumber, isJsonObject, type JsonValue } from '../json/value.ts';
import type { SchemaValidator, ValidationMode } from '../schema/compile.ts';
import { describeSchemaProblem } from '../schema/describe-problem.ts';
import type { Parameter, ParameterSource } from './read-parameters.ts';

/** A parameter that is missing or does not match its declaration. */
export interface InvalidParameter {
  readonly name: string;
  readonly in: Parameter['in'];
  /** The place of the parameter in the document. */
  readonly pointer: JsonPointer;
  /** The keyword that the value violates, or `required` if the parameter is missing. */
  readonly keyword: string;
  /** The place of the keyword in the schema of the parameter; undefined if the parameter is missing. */
  readonly schemaPointer?: JsonPointer;
  /** A message: `the query parameter "limit" must be an integer, but is a string`. */
  readonly reason: string;
  /** Whether the value is valid if texts like `1`, `yes` or `True` count as booleans. */
  readonly mayBeBoolean?: boolean;
}

/** Returns the problem of a parameter in a request, or undefined if it is valid. */
export type ParameterCheck = (source: ParameterSource) => InvalidParameter | undefined;

/**
 * Creates the check of a parameter. A required parameter must be present, and its value, parsed by its style, must
 * match its schema (OpenAPI 3.1 §4.8.12). If a text can be parsed as several values, one valid value is enough.
 *
 * @param passes - a keyword that a value may violate
 * @throws ClocheError SCHEMA_UNUSABLE if the schema cannot be compiled
 */
export function createParameterCheck(
  parameter: Parameter,
  reading: ValidationMode,
  passes?: string,
): ParameterCheck {
  const { name, in: place, pointer, required, allowsEmpty, read } = parameter;
  const subject = `the ${place} parameter "${name}"`;
  const reason = `${subject} is required, but missing`;
  const missing = { name, in: place, pointer, keyword: 'required', reason };
  const strict = parameter.schema?.validator(reading);
  const validate: ((...judged: Parameters<SchemaValidator>) => ReturnType<SchemaValidator>) | undefined =
    strict === undefined || passes === undefined
      ? strict
      : (...value) => strict(...value).filter(({ keyword }) => keyword !== passes);
  return (source) => {
    const [value, ...others] = read(source);
    if (value === undefined) return required ? missing : undefined;
    const isEmpty = allowsEmpty && source.query.some(([key, raw]) => key === name && raw === '');
    if (validate === undefined || isEmpty) return undefined;
    const [problem] = validate(value, holdsExactNumber(value));
    if (
      problem === undefined ||
      others.some((other) => validate(other, holdsExactNumber(other)).length === 0)
    ) {
      return undefined;
    }
    const { keyword, schemaPointer } = problem;
    const said = describeSchemaProblem({ problem, value, subject });
    const words = problem.pointer === '' && said.startsWith(subject) ? said : `${subject}: ${said}`;
    const mayBeBoolean = [value, ...others].some((each) => {
      const places = new Set(validate(each, holdsExactNumber(each)).map((one) => one.pointer));
      const read = readBooleans(each, places);
      return validate(read, holdsExactNumber(read)).length === 0;
    });
    const known = { name, in: place, pointer, keyword, schemaPointer, reason: words };
    return mayBeBoolean ? { ...known, mayBeBoolean } : known;
  };
}

/** The texts that implementations write for booleans. OpenAPI defines none (3.0.4 and 3.1.1, Appendix B). */
const booleanText = /^(?:(true|t|yes|y|on|1)|false|f|no|n|off|0)$/iu;

/** Parses the texts at some places of a value as booleans. */
function readBooleans(value: JsonValue, places: ReadonlySet<JsonPointer>, at: JsonPointer = ''): JsonValue {
  if (typeof value === 'string') {
    const found = places.has(at) ? booleanText.exec(value) : null;
    return found === null ? value : found[1] !== undefined;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => readBooleans(item, places, appendPointer(at, index)));
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, member]) => [name, readBooleans(member, places, appendPointer(at, name))]),
  );
}

/** Returns the first problem that prepared checks find in a request. */
export function findInvalidParameter(
  checks: readonly ParameterCheck[],
  source: ParameterSource,
): InvalidParameter | undefined {
  for (const check of checks) {
    const problem = check(source);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns the parameters of a request that are missing or invalid (OpenAPI 3.1 §4.8.12). */
export function findInvalidParameters(
  parameters: readonly Parameter[],
  source: ParameterSource,
  reading: ValidationMode,
): readonly InvalidParameter[] {
  return parameters.flatMap((parameter) => createParameterCheck(parameter, reading)(source) ?? []);
}
