import { compareNumbers, type ExactNumber, isInteger, isMultipleOf } from '../../json/exact-number.ts';
import { isJsonNumber, type JsonObject } from '../../json/value.ts';

type JsonNumber = number | ExactNumber;

/** Returns whether a number is within the bounds of a merged schema, and an integer if required. */
export function fitsBounds(value: JsonNumber, schema: JsonObject): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return (
    (!isJsonNumber(minimum) || compareNumbers(value, minimum) >= 0) &&
    (!isJsonNumber(maximum) || compareNumbers(value, maximum) <= 0) &&
    (!isJsonNumber(exclusiveMinimum) || compareNumbers(value, exclusiveMinimum) > 0) &&
    (!isJsonNumber(exclusiveMaximum) || compareNumbers(value, exclusiveMaximum) < 0) &&
    (!isJsonNumber(multipleOf) || isMultipleOf(value, multipleOf)) &&
    (schema['type'] === 'number' || isInteger(value))
  );
}

function nearBounds(schema: JsonObject): readonly number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const lower = [minimum, exclusiveMinimum].filter(isJsonNumber).map(Number);
  const upper = [maximum, exclusiveMaximum].filter(isJsonNumber).map(Number);
  const step = isJsonNumber(multipleOf) ? Number(multipleOf) : 1;
  const low = lower[0] ?? upper[0] ?? 0;
  const high = upper[0] ?? low + 1;
  return [
    ...lower.flatMap((bound) => [Math.ceil(bound / step) * step, (Math.floor(bound / step) + 1) * step]),
    ...upper.flatMap((bound) => [Math.floor(bound / step) * step, (Math.ceil(bound / step) - 1) * step]),
    step,
    (low + high) / 2,
  ].filter(Number.isFinite);
}

/** Returns the plainest number that a merged schema accepts; undefined if none is found. */
export function sampleNumber(schema: JsonObject): JsonNumber | undefined {
  const bounds = [schema['minimum'], schema['maximum']].filter(isJsonNumber);
  return [1, 0, ...bounds, ...nearBounds(schema)].find((candidate) => fitsBounds(candidate, schema));
}
