import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type JsonSchema, jsonTypeOf, referencedSchema, subschemasAt } from '../schema/walk.ts';

/**
 * What the values of a schema may hold, as far as it can be told without making one: what is not here is in none of them,
 * and what is here may be.
 */
export interface Outline {
  readonly texts: boolean;
  readonly numbers: boolean;
  readonly lists: boolean;
  /** Members or items, which may be of another type. */
  readonly places: boolean;
  /** Members that may not be left out. */
  readonly required: boolean;
  /** Values that are of the right type, and not allowed. */
  readonly bounds: boolean;
}

const applicators =
  'properties patternProperties additionalProperties items prefixItems allOf anyOf oneOf if then else not dependentSchemas propertyNames'.split(
    ' ',
  );

const signs: readonly (readonly [keyof Outline, keywords: readonly string[], types: readonly string[]])[] = [
  // What is required and not described, and the items of a list that are not, are texts.
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

/** A schema of more parts than these may hold anything. */
const mostParts = 400;

const known = new WeakMap<JsonObject, Outline>();

/** Outlines a self-contained schema; of one that is very large it says that anything may be in it. */
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

/** The types that a schema itself names, and those of the values that it lists. */
function typesOf({ type, enum: values, const: value }: JsonObject): ReadonlySet<JsonValue> {
  const listed = value === undefined ? values : [value];
  return new Set([...[type ?? []].flat(), ...(Array.isArray(listed) ? listed.map(jsonTypeOf) : [])]);
}
