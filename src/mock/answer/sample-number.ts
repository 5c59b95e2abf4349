import { compareNumbers, ExactNumber, isInteger, isMultipleOf } from '../../json/exact-number.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';

type JsonNumber = number | ExactNumber;

/** Whether a value is a number, with its digits or without. */
export function isNumber(value: JsonValue | undefined): value is JsonNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** Whether a number keeps to the bounds of a schema, merged, and is whole where it must be. */
export function fitsBounds(value: JsonNumber, schema: JsonObject): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return (
    (!isNumber(minimum) || compareNumbers(value, minimum) >= 0) &&
    (!isNumber(maximum) || compareNumbers(value, maximum) <= 0) &&
    (!isNumber(exclusiveMinimum) || compareNumbers(value, exclusiveMinimum) > 0) &&
    (!isNumber(exclusiveMaximum) || compareNumbers(value, exclusiveMaximum) < 0) &&
    (!isNumber(multipleOf) || isMultipleOf(value, multipleOf)) &&
    (schema['type'] === 'number' || isInteger(value))
  );
}

function nearBounds(schema: JsonObject): readonly number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const lower = [minimum, exclusiveMinimum].filter(isNumber).map(Number);
  const upper = [maximum, exclusiveMaximum].filter(isNumber).map(Number);
  const step = isNumber(multipleOf) ? Number(multipleOf) : 1;
  const low = lower[0] ?? upper[0] ?? 0;
  const high = upper[0] ?? low + 1;
  return [
    ...lower.flatMap((bound) => [Math.ceil(bound / step) * step, (Math.floor(bound / step) + 1) * step]),
    ...upper.flatMap((bound) => [Math.floor(bound / step) * step, (Math.ceil(bound / step) - 1) * step]),
    step,
    (low + high) / 2,
  ].filter(Number.isFinite);
}

/** The plainest number that a schema, merged, accepts; undefined if none is found. */
export function sampleNumber(schema: JsonObject): JsonNumber | undefined {
  const bounds = [schema['minimum'], schema['maximum']].filter(isNumber);
  return [1, 0, ...bounds, ...nearBounds(schema)].find((candidate) => fitsBounds(candidate, schema));
}
