import { pointerTokens } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type CoerceText, createCoercion, isSchema } from '../../schema/coerce.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import { mergeSchema } from '../../schema/merge.ts';
import { type JsonSchema, schemasInPlace, schemaTypes } from '../../schema/walk.ts';

/** The namespace of `xsi:nil` (XML Schema 1.0 part 1, §2.6.2). */
export const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance';

/** The XML of one place of a schema: both the writer and the reader follow it. Deeper plans are created on first use. */
export interface XmlPlan {
  /** The merged `xml` object (OpenAPI 3.1 §4.8.26). */
  readonly xml: JsonObject;
  /** The allowed JSON types; `object` if only properties are declared. */
  readonly types: ReadonlySet<string>;
  readonly coerce: CoerceText;
  readonly required: ReadonlySet<string>;
  /** The names of the declared properties. */
  readonly names: readonly string[];
  /** Returns the plan of a property. */
  readonly member: (name: string) => XmlPlan;
  /** Returns the plan of the items of a list. */
  readonly items: () => XmlPlan;
}

function createXmlPlan(root: JsonObject, schemas: readonly JsonSchema[]): XmlPlan {
  const [only] = schemas;
  const whole = schemas.length === 1 && only !== undefined ? only : { anyOf: [...schemas] };
  const parts = schemasInPlace(root, whole);
  const declared = parts.flatMap(({ properties }): JsonObject[] =>
    isJsonObject(properties) ? [properties] : [],
  );
  const types = schemaTypes(whole, root);
  const below = new Map<string, XmlPlan>();
  let items: XmlPlan | undefined;
  const plan = (inner: readonly (JsonValue | undefined)[]): XmlPlan =>
    createXmlPlan(root, inner.filter(isSchema));
  const { xml } = mergeSchema(root, schemas.length === 1 ? whole : { allOf: [...schemas] });
  return {
    xml: isJsonObject(xml) ? xml : {},
    types: types.size === 0 && declared.length > 0 ? new Set(['object']) : types,
    coerce: createCoercion(root, whole),
    required: new Set(parts.flatMap(({ required }) => (Array.isArray(required) ? required : [])).map(String)),
    names: [...new Set(declared.flatMap((properties) => Object.keys(properties)))],
    member(name) {
      const own = declared.filter((properties) => Object.hasOwn(properties, name));
      const inner = own.length > 0 ? own.map((properties) => properties[name]) : undefined;
      const key = inner === undefined ? '' : `.${name}`;
      const known =
        below.get(key) ?? plan(inner ?? parts.map(({ additionalProperties }) => additionalProperties));
      below.set(key, known);
      return known;
    },
    items: () => (items ??= plan(parts.map((part) => part['items']))),
  };
}

const plans = new WeakMap<JsonObject, XmlPlan>();

/** Returns the plan of a self-contained schema; the same one each time. */
export function xmlPlanOf(schema: JsonSchema = true): XmlPlan {
  if (!isJsonObject(schema)) return createXmlPlan({}, [schema]);
  const known = plans.get(schema) ?? createXmlPlan(schema, [schema]);
  plans.set(schema, known);
  return known;
}

/** Returns the name of the root element: that of the component if the schema gives none, else `body`. */
export function rootName(compiled: CompiledSchema | undefined): string {
  const isComponent = /^(?:\/x-cloche-documents\/[^/]+)?\/(?:components\/schemas|definitions)\/[^/]+$/u.test(
    compiled?.pointer ?? '',
  );
  return (isComponent ? pointerTokens(compiled?.pointer ?? '').at(-1) : undefined) ?? 'body';
}

/** Replaces characters that are not allowed in an element name (XML 1.0 §2.3) with an underscore. */
export function toElementName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_.-]/gu, '_').replace(/^(?![\p{L}_])/u, '_');
}

/** Returns the name of an element or an attribute without its prefix. */
export function localName({ name }: JsonObject, fallback: string): string {
  return toElementName(typeof name === 'string' && name !== '' ? name : fallback);
}

/** Returns the kind of node of a value without members (OpenAPI 3.2 §4.26, `nodeType`; `attribute` in earlier versions). */
export function nodeTypeOf({ attribute, nodeType }: JsonObject): string {
  if (typeof nodeType === 'string') return nodeType;
  return attribute === true ? 'attribute' : 'element';
}

/** Returns whether an element surrounds the items of a list. */
export function isWrapped({ wrapped, nodeType }: JsonObject): boolean {
  return wrapped === true || nodeType === 'element';
}

/** Returns the `xml` object of the items of a property: their own, over that of the list. */
export function itemXml(name: string, { xml, items }: XmlPlan): JsonObject {
  const own = items().xml;
  return isWrapped(xml) ? { name: xml['name'] ?? name, ...own } : { name, ...xml, ...own };
}
