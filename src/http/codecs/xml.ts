import { ExactNumber } from '../../json/exact-number.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { type TextPlan, textPlanOf } from '../../schema/coerce.ts';
import type { Codec } from './codec.ts';
import {
  instanceNamespace,
  isWrapped,
  itemXml,
  localName,
  nodeTypeOf,
  rootName,
  toElementName,
} from './xml-plan.ts';

/** Escapes a text, and removes characters that XML cannot express (XML 1.0 §2.2). */
function escapeText(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** Returns the text of a value that has no members. */
function toText(value: JsonValue): string {
  return value === null ? '' : escapeText(typeof value === 'string' ? value : stringifyJson(value));
}

// Readers replace line ends and tabs of attributes by spaces (XML 1.0 §3.3.3), but not those of character references.
const toAttribute = (name: string, text: JsonValue): string =>
  ` ${name}="${toText(text)
    .replaceAll('"', '&quot;')
    .replaceAll(/[\t\n]/gu, (character) => `&#${character.codePointAt(0)};`)}"`;

/** Writes a text as CDATA, which cannot contain its own end (XML 1.0 §2.7). */
function toCdata(value: JsonValue): string {
  const text = typeof value === 'string' ? value : toText(value);
  return /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(text)
    ? toText(value)
    : `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** The namespaces that are declared at an element, by prefix; that without a prefix is under the empty text. */
type Scope = ReadonlyMap<string, string>;

interface Name {
  readonly tag: string;
  /** The attribute that declares its namespace, if the scope does not. */
  readonly declaration: string;
  readonly scope: Scope;
}

/** Returns the name of an element or an attribute. A prefix without a namespace gets one, as XML requires. */
function nameOf(xml: JsonObject, fallback: string, scope: Scope): Name {
  const local = localName(xml, fallback);
  const prefix = typeof xml['prefix'] === 'string' ? xml['prefix'] : '';
  const before = prefix === '' ? '' : toElementName(prefix);
  const unbound = before === '' ? undefined : `urn:${before}`;
  const declared = typeof xml['namespace'] === 'string' ? xml['namespace'] : undefined;
  const namespace = declared ?? scope.get(before) ?? unbound;
  const tag = before === '' ? local : `${before}:${local}`;
  if (namespace === undefined || scope.get(before) === namespace) return { tag, declaration: '', scope };
  const declaration = toAttribute(before === '' ? 'xmlns' : `xmlns:${before}`, namespace);
  return { tag, declaration, scope: new Map(scope).set(before, namespace) };
}

const isPlain = (value: JsonValue): boolean =>
  value === null || typeof value !== 'object' || value instanceof ExactNumber;

/** Returns the attributes of null: an empty element would be another value that the schema allows. */
function nilOf({ types }: TextPlan): string {
  const isAmbiguous = types.has('null') && ['string', 'object', 'array'].some((type) => types.has(type));
  return isAmbiguous ? `${toAttribute('xmlns:xsi', instanceNamespace)} xsi:nil="true"` : '';
}

interface Part {
  readonly value: JsonValue;
  readonly plan: TextPlan;
  readonly scope: Scope;
}

function toElement(xml: JsonObject, fallback: string, { value, plan, scope: outer }: Part): string {
  const { tag, declaration, scope } = nameOf(xml, fallback, outer);
  if (isJsonObject(value)) {
    const { attributes, inside } = toMembers(value, plan, scope);
    return `<${tag}${declaration}${attributes}>${inside}</${tag}>`;
  }
  if (value === null) return `<${tag}${declaration}${nilOf(plan)}></${tag}>`;
  const isCdata = nodeTypeOf(plan.xml) === 'cdata';
  const text = isCdata && isPlain(value) ? toCdata(value) : toText(value);
  const inside = Array.isArray(value)
    ? toItems({ name: 'item', ...plan.items().xml }, { value, plan, scope })
    : text;
  return `<${tag}${declaration}>${inside}</${tag}>`;
}

function toItems(xml: JsonObject, { value, plan, scope }: Part): string {
  const items = Array.isArray(value) ? value : [];
  return items.map((item) => toElement(xml, 'item', { value: item, plan: plan.items(), scope })).join('');
}

function toMembers(
  object: JsonObject,
  plan: TextPlan,
  outer: Scope,
): { readonly attributes: string; readonly inside: string; readonly scope: Scope } {
  let attributes = '';
  let inside = '';
  let scope = outer;
  // First the attributes: what they declare is in the scope of the elements.
  const ofPlain = Object.entries(object).map(([name, value]) => {
    const property = plan.member(name);
    const nodeType = isPlain(value) ? nodeTypeOf(property.xml) : 'element';
    if (nodeType === 'attribute') {
      const written = nameOf(property.xml, name, scope);
      attributes += written.declaration + (value === null ? '' : toAttribute(written.tag, value));
      scope = written.scope;
    }
    return { name, value, property, nodeType };
  });
  for (const { name, value, property, nodeType } of ofPlain) {
    const { xml } = property;
    const part = { value, plan: property, scope };
    if (nodeType === 'attribute') continue;
    if (nodeType === 'text') inside += toText(value);
    else if (nodeType === 'cdata') inside += toCdata(value);
    else if (isJsonObject(value) && xml['nodeType'] === 'none') {
      const members = toMembers(value, property, scope);
      attributes += members.attributes;
      inside += members.inside;
    } else if (!Array.isArray(value)) inside += toElement(xml, name, part);
    else if (isWrapped(xml)) {
      const wrapper = nameOf(xml, name, scope);
      const items = toItems(itemXml(name, property), { ...part, scope: wrapper.scope });
      inside += `<${wrapper.tag}${wrapper.declaration}>${items}</${wrapper.tag}>`;
    } else inside += toItems(itemXml(name, property), part);
  }
  return { attributes, inside, scope };
}

/**
 * Returns a value as an XML document: an element for each member, and one for each item of a list. The `xml` objects of its
 * schema decide names, namespaces, attributes and wrapped lists (OpenAPI 3.1 §4.8.26, OpenAPI 3.2 §4.26).
 *
 * @param root - the name of the root element if the schema gives none
 */
export function toXml(root: string, value: JsonValue, schema: JsonSchema = true): string {
  const plan = textPlanOf(schema);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${toElement(plan.xml, root, { value, plan, scope: new Map() })}\n`;
}

/** Writes XML. A string is used as the serialized document. `read-xml.ts` has the codec that also reads it. */
export const xmlCodec: Codec = {
  matches: (essence) => /[/+]xml$/u.test(essence),
  holds: 'value',
  serialize: (value, { schema }) =>
    typeof value === 'string' ? value : toXml(rootName(schema), value, schema?.schema),
};
