import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type JsonSchema, subschemasAt } from './walk.ts';

/** The schemas and rules for a discriminator in a document. */
export interface DiscriminatorContext {
  /** Returns the target of a reference, not converted. */
  readonly follow: (reference: string) => JsonSchema | undefined;
  /** Returns references to the schemas that extend one by `allOf`, directly or indirectly. */
  readonly extensionsOf: (reference: string) => readonly string[];
  /**
   * Whether the discriminator selects the schema of a value (OpenAPI 3.0.0 to 3.0.3 and 3.1.0). In later versions it
   * does not change the outcome: a value is accepted there if either interpretation accepts it.
   */
  readonly decides: boolean;
}

interface Discriminator {
  readonly property: string;
  readonly mapping: readonly (readonly [value: string, target: string])[];
}

function readDiscriminator({ discriminator }: JsonObject): Discriminator | undefined {
  const { propertyName, mapping } = isJsonObject(discriminator) ? discriminator : {};
  if (typeof propertyName !== 'string') return undefined;
  const entries = Object.entries(isJsonObject(mapping) ? mapping : {});
  return {
    property: propertyName,
    mapping: entries.flatMap(([value, target]) => (typeof target === 'string' ? [[value, target]] : [])),
  };
}

/** Returns the name of a schema: `Cat` in `#/components/schemas/Cat`, `Cat` and `cat/Cat.yaml`. */
const nameIn = (reference: string): string =>
  (reference.split(/[/#]/u).at(-1) ?? '').replace(/\.(?:json|ya?ml)$/u, '');

/** Returns the values that select a schema: those mapped to it, or else its name (OpenAPI 3.0.3 §4.7.25). */
function valuesFor({ mapping }: Discriminator, reference: string): readonly string[] {
  const mapped = mapping
    .filter(([, target]) => target === reference || nameIn(target) === nameIn(reference))
    .map(([value]) => value);
  return mapped.length > 0 ? mapped : [nameIn(reference)];
}

/** Returns whether a schema restricts the values of its discriminator. */
function fixesProperty(
  schema: JsonValue | undefined,
  name: string,
  { follow }: DiscriminatorContext,
): boolean {
  const parts = isJsonObject(schema) ? [schema, ...subschemasAt(schema, ['allOf'])] : [];
  return parts.some((part) => {
    const { $ref: reference } = isJsonObject(part) ? part : {};
    const target = typeof reference === 'string' ? follow(reference) : part;
    const { properties } = isJsonObject(target) ? target : {};
    const property = isJsonObject(properties) ? properties[name] : undefined;
    return isJsonObject(property) && ('enum' in property || 'const' in property);
  });
}

/** Returns an alternative, restricted to the values that select it. */
function chosen(discriminator: Discriminator, reference: string, context: DiscriminatorContext): JsonObject {
  const { property } = discriminator;
  const branch = { $ref: reference };
  if (fixesProperty(context.follow(reference), property, context)) return { allOf: [branch] };
  const values = [...valuesFor(discriminator, reference)];
  return {
    allOf: [branch, { type: 'object', required: [property], properties: { [property]: { enum: values } } }],
  };
}

/**
 * Restricts each alternative of a `oneOf` or `anyOf` with a discriminator to the values that select it. Returns any
 * other schema unchanged.
 */
export function chooseAlternatives(schema: JsonObject, context: DiscriminatorContext): JsonObject {
  const discriminator = readDiscriminator(schema);
  const keyword = ['oneOf', 'anyOf'].find((each) => Array.isArray(schema[each]));
  if (discriminator === undefined || keyword === undefined) return schema;
  const { [keyword]: alternatives = [], discriminator: _, ...others } = schema;
  const branches = (Array.isArray(alternatives) ? alternatives : []).map((branch) => {
    const { $ref: reference } = isJsonObject(branch) ? branch : {};
    return typeof reference === 'string' ? chosen(discriminator, reference, context) : branch;
  });
  return context.decides
    ? { ...others, [keyword]: branches }
    : { ...others, anyOf: [{ [keyword]: branches }, { [keyword]: alternatives }] };
}

/**
 * Returns the alternatives for a reference to a base schema with a discriminator: its extensions and itself. Undefined
 * for other schemas.
 */
export function chooseExtensions(reference: string, context: DiscriminatorContext): JsonObject | undefined {
  const base = context.follow(reference);
  if (!isJsonObject(base) || 'oneOf' in base || 'anyOf' in base) return undefined;
  const discriminator = readDiscriminator(base);
  const extensions = discriminator === undefined ? [] : context.extensionsOf(reference);
  if (discriminator === undefined || extensions.length === 0) return undefined;
  const branches = [...extensions, reference].map((each) => chosen(discriminator, each, context));
  return { anyOf: context.decides ? branches : [...branches, { allOf: [{ $ref: reference }] }] };
}
