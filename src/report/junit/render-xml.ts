import { nameCharacter } from '../../errors/console-text.ts';

/** An element of XML: its attributes in order, those that are undefined left out, and what is in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number | undefined>>;
  readonly content?: readonly XmlElement[] | string;
}

/** What XML 1.0 §2.2 has no place for or advises against, and marks that turn the order of a text around for who reads it. */
const unfit =
  /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|[\u007F-\u009F\u2028-\u202E\u2066-\u2069]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A reader takes these in an attribute for spaces (§3.3.3), and a CR anywhere for an LF (§2.11).
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

function escapeText(text: string): string {
  return text.replaceAll(unfit, nameCharacter).replaceAll(/[&<>\r]/gu, (found) => entities[found] ?? found);
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll(unfit, nameCharacter)
    .replaceAll(/[&<>"\t\n\r]/gu, (found) => entities[found] ?? found);
}

function renderElement({ name, attributes = {}, content = [] }: XmlElement, indent: string): string {
  const pairs = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`)
    .join('');
  const start = `${indent}<${name}${pairs}`;
  if (content.length === 0) {
    return `${start}/>\n`;
  }
  return typeof content === 'string'
    ? `${start}>${escapeText(content)}</${name}>\n`
    : `${start}>\n${content.map((child) => renderElement(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

/**
 * Renders a whole XML 1.0 document. What XML has no place for, such as NUL, is written as it is named:
 * `\u{0}`.
 */
export function renderXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${renderElement(root, '')}`;
}
