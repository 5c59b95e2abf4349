import { ExactNumber } from '../../json/exact-number.ts';
import { pointerTokens } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import { mergeSchema } from '../../schema/merge.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import type { Codec } from './codec.ts';

/** Replaces characters that are not allowed in an element name (XML 1.0 §2.3) with an underscore. */
function toElementName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_.-]/gu, '_').replace(/^(?![\p{L}_])/u, '_');
}

/** Escapes a text, and removes characters that XML cannot express (XML 1.0 §2.2). */
function escapeText(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Returns the text of a value that has no members. */
function toText(value: JsonValue): string {
  return value === null ? '' : escapeText(typeof value === 'string' ? value : stringifyJson(value));
}

const toAttribute = (name: string, text: JsonValue): string =>
  ` ${name}="${toText(text)
    .replaceAll('"', '&quot;')
    .replaceAll(/[\t\n\r]/gu, ' ')}"`;

/** Returns the merged `xml` object of a schema (OpenAPI 3.1 §4.8.26). */
function xmlOf({ xml }: JsonObject): JsonObject {
  return isJsonObject(xml) ? xml : {};
}

/** Returns the name of an element or an attribute with its prefix, and the attribute that declares its namespace. */
function nameOf(
  { name, prefix, namespace }: JsonObject,
  fallback: string,
): { readonly tag: string; readonly declaration: string } {
  const local = toElementName(typeof name === 'string' ? name : fallback);
  const before = typeof prefix === 'string' && prefix !== '' ? toElementName(prefix) : undefined;
  const attribute = before === undefined ? 'xmlns' : `xmlns:${before}`;
  return {
    tag: before === undefined ? local : `${before}:${local}`,
    declaration: typeof namespace === 'string' ? toAttribute(attribute, namespace) : '',
  };
}

function isAttribute({ attribute, nodeType }: JsonObject, value: JsonValue): boolean {
  const isPlain = value === null || typeof value !== 'object' || value instanceof ExactNumber;
  return isPlain && (attribute === true || nodeType === 'attribute');
}

/**
 * Returns a value as an XML document: an element for each member, and one for each item of a list. The `xml` objects of its
 * schema decide names, namespaces, attributes and wrapped lists (OpenAPI 3.1 §4.8.26).
 *
 * @param root - the name of the root element if the schema gives none
 */
export function toXml(root: string, value: JsonValue, schema: JsonSchema = true): string {
  const whole = isJsonObject(schema) ? schema : {};
  const merge = (part: JsonValue | undefined): JsonObject =>
    isJsonObject(part) ? mergeSchema(whole, part) : {};

  function toElement(name: string, content: JsonValue, part: JsonObject): string {
    const { tag, declaration } = nameOf(xmlOf(part), name);
    const toInside = (): string =>
      Array.isArray(content) ? toItems({ name: 'item' }, content, part) : toText(content);
    const [attributes, inside] = isJsonObject(content) ? toMembers(content, part) : ['', toInside()];
    return `<${tag}${declaration}${attributes}>${inside}</${tag}>`;
  }

  function toItems(inherited: JsonObject, list: readonly JsonValue[], part: JsonObject): string {
    const items = merge(part['items']);
    const named = { ...items, xml: { ...inherited, ...xmlOf(items) } };
    return list.map((item) => toElement('item', item, named)).join('');
  }

  function toMembers(value: JsonObject, part: JsonObject): readonly [attributes: string, elements: string] {
    const properties = isJsonObject(part['properties']) ? part['properties'] : {};
    let attributes = '';
    let elements = '';
    for (const [name, member] of Object.entries(value)) {
      const property = merge(
        Object.hasOwn(properties, name) ? properties[name] : part['additionalProperties'],
      );
      const xml = xmlOf(property);
      if (isAttribute(xml, member)) {
        const { tag, declaration } = nameOf(xml, name);
        attributes += declaration + (member === null ? '' : toAttribute(tag, member));
      } else if (!Array.isArray(member)) {
        elements += toElement(name, member, property);
      } else if (xml['wrapped'] === true) {
        const { tag, declaration } = nameOf(xml, name);
        const items = toItems({ name: xml['name'] ?? name }, member, property);
        elements += `<${tag}${declaration}>${items}</${tag}>`;
      } else {
        elements += toItems({ name, ...xml }, member, property);
      }
    }
    return [attributes, elements];
  }

  return `<?xml version="1.0" encoding="UTF-8"?>\n${toElement(root, value, merge(whole))}\n`;
}

/** The root element has the name of the component if the schema gives none. */
function toNamedXml(value: JsonValue, compiled: CompiledSchema | undefined): string {
  const isComponent = /^\/(?:components\/schemas|definitions)\/[^/]+$/u.test(compiled?.pointer ?? '');
  const name = isComponent ? pointerTokens(compiled?.pointer ?? '').at(-1) : undefined;
  return toXml(name ?? 'body', value, compiled?.schema);
}

/** Writes XML. A string is used as the serialized document. */
export const xmlCodec: Codec = {
  matches: (essence) => /[/+]xml$/u.test(essence),
  holds: 'value',
  serialize: (value, { schema }) => (typeof value === 'string' ? value : toNamedXml(value, schema)),
};
