import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type JsonSchema, subschemasAt } from './walk.ts';

/** What a document says about the schemas that a discriminator chooses from. */
export interface DiscriminatorContext {
  /** The schema that a reference leads to, not converted. */
  readonly follow: (reference: string) => JsonSchema | undefined;
  /** The references to the schemas that extend one by `allOf`, at any number of steps. */
  readonly extensionsOf: (reference: string) => readonly string[];
  /**
   * Whether the discriminator decides which schema judges a value (OpenAPI 3.0.0 to 3.0.3 and 3.1.0). Later versions say that
   * it does not change the outcome: a value is accepted there if it fits by either reading.
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

/** The name of a schema in a reference or a mapping: `Cat` in `#/components/schemas/Cat`, `Cat` and `cat/Cat.yaml`. */
const nameIn = (reference: string): string =>
  (reference.split(/[/#]/u).at(-1) ?? '').replace(/\.(?:json|ya?ml)$/u, '');

/** The values that choose a schema: those that are mapped to it, else its name (OpenAPI 3.0.3 §4.7.25). */
function valuesFor({ mapping }: Discriminator, reference: string): readonly string[] {
  const mapped = mapping
    .filter(([, target]) => target === reference || nameIn(target) === nameIn(reference))
    .map(([value]) => value);
  return mapped.length > 0 ? mapped : [nameIn(reference)];
}

/** Whether a schema itself says which values its discriminator has. */
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

/** One of the schemas to choose from, for the values that choose it alone. */
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
 * A schema whose `oneOf` or `anyOf` has a discriminator, with each alternative for its own values of the discriminator. Any
 * other schema as it is.
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
 * The schemas that a reference to a base schema with a discriminator chooses from: those that extend it, and itself. Undefined
 * for a reference to any other schema.
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
