import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type JsonSchema, jsonTypeOf, referencedSchema, subschemasAt } from '../schema/walk.ts';

/**
 * Kinds of values that a schema may allow, determined without generating one. Values of a kind that is not set never
 * occur.
 */
export interface Outline {
  readonly texts: boolean;
  readonly numbers: boolean;
  readonly lists: boolean;
  /** Members or items, possibly of another type. */
  readonly places: boolean;
  /** Required members. */
  readonly required: boolean;
  /** Values of the right type that are not allowed. */
  readonly bounds: boolean;
}

const applicators =
  'properties patternProperties additionalProperties items prefixItems allOf anyOf oneOf if then else not dependentSchemas propertyNames'.split(
    ' ',
  );

const signs: readonly (readonly [keyof Outline, keywords: readonly string[], types: readonly string[]])[] = [
  // A required property, or a list item, without a schema is a text.
  ['texts', ['pattern', 'minLength', 'maxLength', 'format', 'required', 'minItems'], ['string', 'array']],
  [
    'numbers',
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(' '),
    ['number', 'integer'],
  ],
  ['lists', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'], ['array']],
  ['places', ['properties', 'patternProperties', 'required', 'items', 'prefixItems', 'minItems'], ['array']],
  ['required', ['required', 'minProperties', 'dependentRequired', 'dependentSchemas', 'if', 'not'], []],
  [
    'bounds',
    (
      'enum const pattern format minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
      'minItems maxItems uniqueItems minProperties maxProperties additionalProperties unevaluatedProperties propertyNames not'
    ).split(' '),
    [],
  ],
];

const whole: Outline = {
  texts: true,
  numbers: true,
  lists: true,
  places: true,
  required: true,
  bounds: true,
};

/** A larger schema is assumed to allow every kind. */
const mostParts = 400;

const known = new WeakMap<JsonObject, Outline>();

/** Outlines a self-contained schema; a very large one is assumed to allow every kind. */
export function outlineOf(schema: JsonSchema | undefined): Outline {
  const root = isJsonObject(schema) ? schema : {};
  const outline = known.get(root) ?? makeOutline(root);
  known.set(root, outline);
  return outline;
}

function makeOutline(root: JsonObject): Outline {
  const entered = new Set<JsonObject>();
  const found = new Set<keyof Outline>();
  const waiting: (JsonValue | undefined)[] = [root];
  while (waiting.length > 0 && found.size < signs.length) {
    const part = waiting.pop();
    if (!isJsonObject(part) || entered.has(part)) continue;
    entered.add(part);
    if (entered.size > mostParts) return whole;
    const types = typesOf(part);
    for (const [name, keywords, ofTypes] of signs) {
      if (
        keywords.some((keyword) => Object.hasOwn(part, keyword)) ||
        ofTypes.some((type) => types.has(type))
      ) {
        found.add(name);
      }
    }
    waiting.push(referencedSchema(root, part), ...subschemasAt(part, applicators));
  }
  const has = (name: keyof Outline): boolean => found.has(name);
  return {
    texts: has('texts'),
    numbers: has('numbers'),
    lists: has('lists'),
    places: has('places'),
    required: has('required'),
    bounds: has('bounds'),
  };
}

/** Returns the types that a schema names itself, and those of its listed values. */
function typesOf({ type, enum: values, const: value }: JsonObject): ReadonlySet<JsonValue> {
  const listed = value === undefined ? values : [value];
  return new Set([...[type ?? []].flat(), ...(Array.isArray(listed) ? listed.map(jsonTypeOf) : [])]);
}
