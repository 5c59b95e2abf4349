import type { Operation } from '../../contract/contract.ts';
import { jsonBodies, jsonSchemaOf } from '../../contract/request-facts.ts';
import { compareNumbers, ExactNumber } from '../../json/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { integerFormats, type IntegerRange } from '../../schema/exact-keywords.ts';
import { findRangedSchemas, schemaProperties } from '../../schema/properties.ts';
import { type JsonSchema, schemasInPlace } from '../../schema/walk.ts';
import { isRefused, notAsked, unsettled, withMember, writeBody } from '../probing.ts';
import {
  type ProbeSession,
  choices,
  type HiddenBy,
  type ProbePiece,
  type Behaviour,
  type Probed,
} from '../behaviour.ts';

/** The behaviour `int64-range`: whether integers outside the range of their format are rejected. */
export const int64Range: Behaviour<'int64-range'> = {
  id: 'int64-range',
  question: 'Are integers outside the range of their format refused?',
  ...choices<'int64-range'>([
    [
      'refuse',
      'integers outside the range of their format are refused',
      'Integers outside the range of int32 or int64 are refused.',
    ],
    ['accept', 'integers outside the range of their format are accepted', 'They are accepted.'],
  ]),
  // `minimum` and `maximum` specify it. A format asserts only by convention.
  isDecidedByOpenApi: true,
  documentValue(operation) {
    const schemas = listSchemas(operation);
    if (schemas.every((schema) => findRangedSchemas(schema).length === 0)) {
      return notAsked('it takes no integer with the format int32 or int64');
    }
    return schemas.every((schema) => findUnkept(schema).length === 0)
      ? {
          kind: 'answered',
          pointer: operation.requestBody?.pointer ?? operation.pointer,
          says: 'Its schemas bound each integer within its format',
          answer: 'refuse',
        }
      : { kind: 'open', settledBy: 'Its schemas would have to say minimum and maximum' };
  },
  declare({ answer, operation }) {
    const properties: JsonObject = {};
    for (const { schema } of answer === 'refuse' ? jsonBodies(operation) : []) {
      const root = schema?.schema ?? true;
      for (const [name, property] of schemaProperties(root)) {
        const parts = schemasInPlace(root, property.schema);
        const range = parts.map(rangeOf).find((each) => each !== undefined);
        if (range !== undefined && !keepsWithin(parts, range)) {
          properties[name] = { minimum: range.minimum, maximum: range.maximum };
        }
      }
    }
    return {
      additions:
        Object.keys(properties).length === 0 ? [] : [{ kind: 'request-schema', schema: { properties } }],
      answer,
    };
  },
  probe: { mostRequests: 2, needsTaken: true, ask },
  hiddenBy: ({ constraints }) => findCloser(constraints),
};

/** A number with a tighter bound is rejected because of that bound. */
function findCloser(
  constraints: JsonValue | undefined,
  names: readonly string[] = Object.keys(isJsonObject(constraints) ? constraints : {}),
): HiddenBy | undefined {
  const bounded = names.find((name) => {
    const fragment = isJsonObject(constraints) ? constraints[name] : undefined;
    return isJsonObject(fragment) && ('maximum' in fragment || 'exclusiveMaximum' in fragment);
  });
  return bounded === undefined
    ? undefined
    : { by: 'constraints', why: `"${bounded}" is bounded within the range` };
}

function rangeOf({ format }: JsonObject): IntegerRange | undefined {
  return typeof format === 'string' ? integerFormats.get(format) : undefined;
}

function isWithin(value: JsonValue | undefined, { minimum, maximum }: IntegerRange): boolean {
  return (
    (typeof value === 'number' || value instanceof ExactNumber) &&
    compareNumbers(value, minimum) >= 0 &&
    compareNumbers(value, maximum) <= 0
  );
}

/** Returns whether the schemas of one value keep it within a range by their keywords. */
function keepsWithin(parts: readonly JsonObject[], range: IntegerRange): boolean {
  const isListed = parts.some(
    ({ enum: values }) => Array.isArray(values) && values.every((value) => isWithin(value, range)),
  );
  return (
    isListed ||
    (parts.some(({ minimum }) => isWithin(minimum, range)) &&
      parts.some(({ maximum }) => isWithin(maximum, range)))
  );
}

/** Returns the parts of a schema whose format has a range that no keywords enforce. */
function findUnkept(schema: JsonSchema): readonly JsonObject[] {
  const kept = new Set<JsonObject>();
  const values = [schema, ...[...schemaProperties(schema).values()].map((property) => property.schema)];
  for (const parts of values.map((value) => schemasInPlace(schema, value))) {
    for (const part of parts) {
      const range = rangeOf(part);
      if (range !== undefined && keepsWithin(parts, range)) {
        kept.add(part);
      }
    }
  }
  return findRangedSchemas(schema).filter((part) => {
    const range = rangeOf(part);
    return !kept.has(part) && range !== undefined && !keepsWithin([part], range);
  });
}

function listSchemas(operation: Operation): readonly JsonSchema[] {
  return [...(operation.requestBody?.media ?? []), ...operation.parameters].flatMap(({ schema }) =>
    schema === undefined ? [] : [schema.schema],
  );
}

/** One more than the largest integer of each format, and enough zeros to move every id out of its range. */
const excesses: Readonly<Record<string, { readonly next: string; readonly noughts: string }>> = {
  int32: { next: '2147483648', noughts: '0'.repeat(10) },
  int64: { next: '9223372036854775808', noughts: '0'.repeat(19) },
};

interface Bounded {
  readonly name: string;
  /**
   * Values outside the range of its format, the nearest first. An id has a second, more distant one: a service that
   * rounds numbers reads the nearest ones as one id, and rejects all but the first as duplicates.
   */
  readonly values: readonly (readonly ProbePiece[])[];
}

/** Returns a property of the sample that only its format bounds. */
function findBounded(probeSession: ProbeSession): Bounded | undefined {
  const schema = jsonSchemaOf(probeSession.operation.requestBody?.media);
  const names = new Set((probeSession.sample() ?? []).map(({ name }) => name));
  for (const [name, property] of schemaProperties(schema)) {
    const parts = schemasInPlace(schema ?? true, property.schema);
    const excess = parts
      .map(({ format }) => (typeof format === 'string' ? excesses[format] : undefined))
      .find(Boolean);
    const isBounded = parts.some((part) =>
      ['maximum', 'exclusiveMaximum', 'enum', 'const', 'multipleOf'].some((keyword) => keyword in part),
    );
    if (names.has(name) && excess !== undefined && !isBounded) {
      const isKey = name === probeSession.key?.property;
      const { next, noughts } = excess;
      return { name, values: isKey ? [[{ slot: 0, offset: next }], [{ slot: 1 }, noughts]] : [[next]] };
    }
  }
  return undefined;
}

/** Sends an integer just past the end of its format, and an id far past it. */
async function ask(probeSession: ProbeSession): Probed<'int64-range'> {
  const bounded = findBounded(probeSession);
  if (bounded === undefined) return notAsked('it takes no integer of a format with a range');
  const mask = findCloser(probeSession.settled('constraints'), [bounded.name]);
  if (mask !== undefined) return { kind: 'masked', ...mask };
  const members = probeSession.sample() ?? [];
  for (const value of bounded.values) {
    const exchange = await probeSession.send({ body: writeBody(withMember(members, bounded.name, value)) });
    if (exchange.isAccepted) return { kind: 'answer', answer: 'accept' };
    if (!isRefused(exchange)) return unsettled(`an integer out of the range is answered ${exchange.status}`);
  }
  return { kind: 'answer', answer: 'refuse' };
}
