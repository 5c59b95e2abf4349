import { isInteger, toJsonNumber } from '../json/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type JsonSchema, schemasInPlace, schemaTypes } from './walk.ts';

/** Returns the value of a text. */
export type CoerceText = (text: string) => JsonValue;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

/**
 * Creates the conversion of texts. A text becomes a number, a boolean or null if the schema allows that type and the
 * text has its form (OpenAPI 3.1 §4.8.12.2). If the schema also allows strings, a fraction stays a text unless the
 * schema allows fractions, and nothing becomes null. Local references start from `root`.
 */
export function createCoercion(root: JsonSchema, schema: JsonSchema): CoerceText {
  const types = schemaTypes(schema, root);
  const isText = types.has('string');
  const wantsFraction = types.has('number');
  const wantsNumber = wantsFraction || types.has('integer');
  const wantsBoolean = types.has('boolean');
  const wantsNull = types.has('null') && !isText;
  if (!wantsNumber && !wantsBoolean && !wantsNull) return (text) => text;
  return (text) => {
    if (wantsNumber && jsonNumber.test(text)) {
      const number = toJsonNumber(text);
      return wantsFraction || !isText || isInteger(number) ? number : text;
    }
    if (wantsBoolean && (text === 'true' || text === 'false')) return text === 'true';
    return wantsNull && (text === '' || text === 'null') ? null : text;
  };
}

/** Returns whether a value of a document is a schema. */
export function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** The plan for parsing the texts at one place of a form or a parameter. Deeper plans are created on first use. */
export interface TextPlan {
  readonly types: ReadonlySet<string>;
  /** The declared properties. */
  readonly names: ReadonlySet<string>;
  /** Returns the plan of a property. */
  readonly member: (name: string) => TextPlan;
  /** Returns the plan of the items of a list. */
  readonly items: () => TextPlan;
  readonly coerce: CoerceText;
}

/**
 * Creates the plan for parsing texts by a schema. Local references start from `root`.
 *
 * @param declaring - the keywords that are searched for properties
 */
export function createTextPlan(
  root: JsonSchema,
  schema: JsonSchema,
  declaring?: readonly string[],
): TextPlan {
  const parts = schemasInPlace(root, schema);
  const declared = schemasInPlace(root, schema, declaring).flatMap(({ properties }): JsonObject[] =>
    isJsonObject(properties) ? [properties] : [],
  );
  const below = new Map<string, TextPlan>();
  let others: TextPlan | undefined;
  let items: TextPlan | undefined;
  const plan = (schemas: readonly (JsonValue | undefined)[]): TextPlan =>
    createTextPlan(root, { anyOf: schemas.filter(isSchema) });
  const types = schemaTypes(schema, root);
  return {
    types: types.size === 0 && declared.length > 0 ? new Set(['object']) : types,
    names: new Set(declared.flatMap((properties) => Object.keys(properties))),
    member(name) {
      const known = below.get(name);
      if (known !== undefined) return known;
      const own = declared.filter((properties) => Object.hasOwn(properties, name));
      if (own.length === 0) return (others ??= plan(parts.map((part) => part['additionalProperties'])));
      const made = plan(own.map((properties) => properties[name]));
      below.set(name, made);
      return made;
    },
    items: () => (items ??= plan(parts.map((part) => part['items']))),
    coerce: createCoercion(root, schema),
  };
}
