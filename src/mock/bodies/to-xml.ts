import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonValue } from '../../json/json-value.ts';

/** What no element may be called (XML 1.0 §2.3) becomes an underscore. */
function toElementName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_.-]/gu, '_').replace(/^(?![\p{L}_])/u, '_');
}

/** Characters that XML has no way to write are left out (XML 1.0 §2.2). */
function escapeText(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function toElement(name: string, value: JsonValue): string {
  const tag = toElementName(name);
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) {
    return `<${tag}>${value === null ? '' : escapeText(String(value))}</${tag}>`;
  }
  const members = Array.isArray(value)
    ? value.map((item) => toElement('item', item))
    : Object.entries(value).flatMap(([key, member]) =>
        Array.isArray(member) ? member.map((item) => toElement(key, item)) : [toElement(key, member)],
      );
  return `<${tag}>${members.join('')}</${tag}>`;
}

/**
 * A value as an XML document: an element for each member, and one for each item of a list (OpenAPI 3.1
 * §4.8.26 without what an `xml` object may change).
 *
 * @param root - what the outermost element is called
 */
export function toXml(root: string, value: JsonValue): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${toElement(root, value)}\n`;
}
