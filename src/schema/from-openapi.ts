import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { chooseAlternatives, chooseExtensions, type DiscriminatorContext } from './discriminator.ts';
import { type JsonSchema, mapSubschemas, resolveLocal, subschemasAt } from './walk.ts';

/** The handling of references, which are `#` and a pointer. */
interface References {
  /** Returns the target, not converted. */
  readonly follow: (reference: string) => JsonSchema | undefined;
  /** Returns the reference in the converted schema. */
  readonly rename: (reference: string) => string;
  /** See {@link DiscriminatorContext}. By default, no schema extends another. */
  readonly extensionsOf?: DiscriminatorContext['extensionsOf'];
  /** See {@link DiscriminatorContext}. */
  readonly discriminatorDecides?: boolean;
  /** Whether `nullable` allows null beside `allOf`, `anyOf` and `oneOf`, as in OpenAPI 3.0.0 to 3.0.2. */
  readonly isNullableWhole?: boolean;
}

/** Keywords of OpenAPI that do not restrict a value. */
const descriptive = new Set(['discriminator', 'example', 'externalDocs']);

/**
 * Converts an OpenAPI Schema Object to a JSON Schema 2020-12 that accepts the same values. By default it is
 * self-contained. In 3.0 (§4.7.24): `nullable` needs `type`, exclusive bounds are booleans, and siblings of `$ref` are
 * ignored, except `nullable` in a request. In both: `readOnly` properties are optional in requests, `writeOnly` ones in
 * responses. An `example` is added to `examples`.
 */
export function fromOpenApiSchema(
  root: JsonSchema,
  { version, direction }: { readonly version: '3.0' | '3.1'; readonly direction: 'request' | 'response' },
  {
    follow,
    rename,
    extensionsOf = () => [],
    discriminatorDecides: decides = true,
    isNullableWhole = false,
  }: References = {
    follow: (reference) => resolveLocal(root, reference),
    rename: (reference) => reference,
  },
): JsonSchema {
  const context = { follow, extensionsOf, decides };
  const oneWay = direction === 'request' ? 'readOnly' : 'writeOnly';

  function travelsOneWay(property: JsonValue | undefined): boolean {
    const target = followReference(follow, property);
    // In 3.0 a reference cannot have siblings, so authors put it in an `allOf` with the keyword next to it or inside.
    const parts = target === undefined ? [] : subschemasAt(target, ['allOf']);
    return [property, target, ...parts].some((part) => isJsonObject(part) && part[oneWay] === true);
  }

  /** Returns the properties of an object, including its `allOf`, that only exist in the other direction. */
  function absentProperties(
    schema: JsonValue | undefined,
    seen: Set<JsonObject> = new Set(),
  ): readonly string[] {
    const target = followReference(follow, schema);
    if (target === undefined || seen.has(target)) return [];
    seen.add(target);
    const properties = isJsonObject(target['properties']) ? target['properties'] : {};
    return [
      ...Object.keys(properties).filter((name) => travelsOneWay(properties[name])),
      ...subschemasAt(target, ['allOf']).flatMap((part) => absentProperties(part, seen)),
    ];
  }

  /** Adds the `example` of OpenAPI to the `examples` of JSON Schema. */
  function withExamples(result: JsonObject, { example, examples }: JsonObject): JsonObject {
    return example === undefined
      ? result
      : { ...result, examples: [...(Array.isArray(examples) ? examples : []), example] };
  }

  /** @param isPart - whether another schema extends this one: then a base with a discriminator selects nothing */
  function convert(schema: JsonSchema, inherited: readonly string[], isPart: boolean): JsonSchema {
    if (!isJsonObject(schema)) return schema;
    const absent = [...inherited, ...absentProperties(schema)];
    const own = version === '3.0' ? fromVersion30(schema) : schema;
    const { $ref: base } = own;
    const choice = typeof base === 'string' && !isPart ? chooseExtensions(base, context) : undefined;
    const source = choice === undefined ? chooseAlternatives(own, context) : { ...own, ...choice };
    if (choice !== undefined) Reflect.deleteProperty(source, '$ref');
    const mapped = mapSubschemas(source, (child, place) =>
      place.startsWith('/allOf/') ? convert(child, absent, true) : convert(child, [], false),
    );
    const result = Object.fromEntries(
      Object.entries(mapped).filter(([keyword]) => !descriptive.has(keyword) && !keyword.startsWith('x-')),
    );
    if (Array.isArray(result['required'])) {
      result['required'] = result['required'].filter(
        (name) => typeof name !== 'string' || !absent.includes(name),
      );
    }
    if (Array.isArray(result['allOf'])) result['allOf'] = withoutRepetition(result['allOf']);
    const { $ref: reference } = result;
    if (typeof reference === 'string' && reference.startsWith('#')) {
      result['$ref'] = rename(reference);
    }
    const isReference = typeof schema['$ref'] === 'string';
    const mayBeNull = isReference ? version === '3.0' && direction === 'request' : isNullableWhole;
    const nullable = mayBeNull && schema['nullable'] === true ? allowNull(result) : result;
    return withExamples(nullable, source);
  }

  return convert(root, [], false);
}

/** Allows null in addition to references and lists of schemas. */
function allowNull({ $ref, allOf, anyOf, oneOf, ...others }: JsonObject): JsonObject {
  const lists = Object.entries({ $ref, allOf, anyOf, oneOf }).flatMap(([keyword, value]) =>
    value === undefined ? [] : [[keyword, value] as const],
  );
  return lists.length === 0 ? others : { ...others, anyOf: [Object.fromEntries(lists), { type: 'null' }] };
}

/**
 * Replaces repeated references in an `allOf` by `true`, which keeps the positions of the others. Otherwise a chain of
 * schemas that each refer to the next one twice would need 2^n checks.
 */
function withoutRepetition(list: readonly JsonValue[]): JsonValue[] {
  const seen = new Set<JsonValue>();
  return list.map((part) => {
    const { $ref: reference, ...others } = isJsonObject(part) ? part : {};
    if (reference === undefined || Object.keys(others).length > 0) return part;
    if (seen.has(reference)) return true;
    seen.add(reference);
    return part;
  });
}

/** Returns the object that a schema leads to. A document with circular references is rejected when it is read. */
function followReference(
  follow: References['follow'],
  schema: JsonValue | undefined,
): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { $ref: reference } = schema;
  if (typeof reference !== 'string') return schema;
  return reference.startsWith('#') ? followReference(follow, follow(reference)) : undefined;
}

function fromVersion30(schema: JsonObject): JsonObject {
  const { nullable, ...others } = schema;
  const { $ref, $defs, type } = schema;
  // These definitions come from the conversion to a self-contained schema.
  if (typeof $ref === 'string') return isJsonObject($defs) ? { $ref, $defs } : { $ref };
  const typed: JsonObject =
    nullable === true && typeof type === 'string' ? { ...others, type: [type, 'null'] } : others;
  return toOwnBound(toOwnBound(typed, 'Minimum'), 'Maximum');
}

/** Converts `exclusiveMinimum: true` of 3.0, which makes `minimum` exclusive, to the separate bound of 2020-12. */
function toOwnBound(schema: JsonObject, end: 'Minimum' | 'Maximum'): JsonObject {
  const exclusive = `exclusive${end}`;
  const inclusive = end === 'Minimum' ? 'minimum' : 'maximum';
  if (typeof schema[exclusive] !== 'boolean') return schema;
  const { [exclusive]: isExclusive, [inclusive]: bound, ...others } = schema;
  if (bound === undefined) return others;
  return { ...others, [isExclusive === true ? exclusive : inclusive]: bound };
}
