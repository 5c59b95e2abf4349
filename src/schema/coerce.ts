import { isInteger, toJsonNumber } from '../json/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { mergeSchema } from './merge.ts';
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

/** The plan for reading the texts at one place of a form, a parameter or XML. Deeper plans are created on first use. */
export interface TextPlan {
  /** The allowed JSON types; `object` if only properties are declared. */
  readonly types: ReadonlySet<string>;
  /** The declared properties. */
  readonly names: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  /** The merged `xml` object (OpenAPI 3.1 §4.8.26). */
  readonly xml: JsonObject;
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
  return planOf(root, [schema], declaring);
}

/** Creates the plan of a place to which several schemas apply, or at which one of them does. */
function planOf(root: JsonSchema, schemas: readonly JsonSchema[], declaring?: readonly string[]): TextPlan {
  const [only] = schemas;
  const whole = schemas.length === 1 && only !== undefined ? only : { anyOf: [...schemas] };
  const parts = schemasInPlace(root, whole);
  const declared = schemasInPlace(root, whole, declaring).flatMap(({ properties }): JsonObject[] =>
    isJsonObject(properties) ? [properties] : [],
  );
  const below = new Map<string, TextPlan>();
  let others: TextPlan | undefined;
  let items: TextPlan | undefined;
  let required: ReadonlySet<string> | undefined;
  let xml: JsonObject | undefined;
  const plan = (inner: readonly (JsonValue | undefined)[]): TextPlan => planOf(root, inner.filter(isSchema));
  const types = schemaTypes(whole, root);
  return {
    types: types.size === 0 && declared.length > 0 ? new Set(['object']) : types,
    names: new Set(declared.flatMap((properties) => Object.keys(properties))),
    get required() {
      required ??= new Set(
        parts.flatMap(({ required: names }) => (Array.isArray(names) ? names : [])).map(String),
      );
      return required;
    },
    get xml() {
      if (xml !== undefined) return xml;
      const merged = mergeSchema(
        isJsonObject(root) ? root : {},
        schemas.length === 1 ? whole : { allOf: [...schemas] },
      );
      xml = isJsonObject(merged['xml']) ? merged['xml'] : {};
      return xml;
    },
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
    coerce: createCoercion(root, whole),
  };
}

const plans = new WeakMap<JsonObject, TextPlan>();

/** Returns the plan of a self-contained schema; the same one each time. */
export function textPlanOf(schema: JsonSchema = true): TextPlan {
  if (!isJsonObject(schema)) return createTextPlan({}, schema);
  const known = plans.get(schema) ?? createTextPlan(schema, schema);
  plans.set(schema, known);
  return known;
}
