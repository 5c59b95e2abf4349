import { pointerTokens } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
import type { TextPlan } from '../../schema/coerce.ts';
import type { CompiledSchema } from '../../schema/compile.ts';

/** The namespace of `xsi:nil` (XML Schema 1.0 part 1, §2.6.2). */
export const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance';

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
export function itemXml(name: string, { xml, items }: TextPlan): JsonObject {
  const own = items().xml;
  return isWrapped(xml) ? { name: xml['name'] ?? name, ...own } : { name, ...xml, ...own };
}
