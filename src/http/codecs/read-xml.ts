import { DOMParser, type Element, type Node, ParseError } from '@xmldom/xmldom';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { type TextPlan, textPlanOf } from '../../schema/coerce.ts';
import type { Codec, DeclaredContent, ParsedContent } from './codec.ts';
import { xmlCodec } from './xml.ts';
import { instanceNamespace, isWrapped, itemXml, localName, nodeTypeOf } from './xml-plan.ts';

/** Deeper elements are refused: the reader calls itself for each level. */
const mostLevels = 500;

/** A text that cannot be read as XML. The reason has no full stop. */
class Malformed extends Error {}

/** Returns a text in the encoding of its Content-Type, its byte order mark or its XML declaration (RFC 7303 §3). */
function decodeXml(content: Uint8Array, contentType: string): string {
  const mark = content[0] === 0xfe && content[1] === 0xff ? 'utf-16be' : undefined;
  const start = new TextDecoder('latin1').decode(content.subarray(0, 200));
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/u.exec(start)?.[1];
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/iu.exec(contentType)?.[1];
  const isLittle = content[0] === 0xff && content[1] === 0xfe;
  const encoding = mark ?? (isLittle ? 'utf-16le' : (charset ?? declared ?? 'utf-8'));
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch (cause) {
    throw new Malformed(
      cause instanceof RangeError
        ? `its encoding ${encoding} is unknown`
        : `it is not valid ${encoding.toUpperCase()}`,
    );
  }
}

/** The characters that XML forbids, raw and as references (XML 1.0 §2.2). */
const forbidden =
  // oxlint-disable-next-line no-control-regex -- XML forbids them
  /[\u0000-\u0008\v\f\u000E-\u001F\uFFFE\uFFFF]|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[\da-f]));/iu;

/** Parses a document. Declared entities and outer declarations are not read, so that neither expands or opens anything. */
function parseDocument(text: string): Element {
  const place = (index: number): string => {
    const before = text.slice(0, index).split('\n');
    return `at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  };
  const illegal = forbidden.exec(text);
  if (illegal !== null) throw new Malformed(`a character that XML forbids ${place(illegal.index)}`);
  let found: Malformed | undefined;
  const parser = new DOMParser({
    onError(_level, message, context: { locator?: { lineNumber?: number; columnNumber?: number } }) {
      // U+FFFD is a character like any other; the parser only suspects a wrong encoding.
      if (message.startsWith('Unicode replacement character')) return;
      const { lineNumber, columnNumber = 1 } = context.locator ?? {};
      const at =
        lineNumber === undefined || lineNumber === 0 ? '' : ` at line ${lineNumber}, column ${columnNumber}`;
      const [first = ''] = message.split('\n', 1);
      const reason = first.replace(
        /^(?:element parse error: )?(?:Error\w*: |Error constructing the DOM: \w+: )/u,
        '',
      );
      found ??= new Malformed(`${reason}${at}`);
      throw found;
    },
  });
  try {
    const document = parser.parseFromString(text, 'application/xml');
    if ((document.doctype?.internalSubset ?? '') !== '') {
      throw new Malformed('its document type declares entities, which are not read');
    }
    if (document.documentElement === null) throw new Malformed('it has no root element');
    return document.documentElement;
  } catch (cause) {
    if (cause instanceof Malformed) throw cause;
    if (cause instanceof ParseError || cause instanceof Error) throw found ?? new Malformed(cause.message);
    throw cause;
  }
}

const isElement = (node: Node): node is Element => node.nodeType === 1;

const childElements = (element: Element): readonly Element[] => [...element.childNodes].filter(isElement);

/** The attributes that are data: neither declarations of namespaces nor those of XML and XML Schema itself. */
const dataAttributes = (element: Element): readonly { readonly name: string; readonly value: string }[] =>
  [...element.attributes]
    .filter(
      ({ prefix, name, namespaceURI }) =>
        prefix !== 'xmlns' && prefix !== 'xml' && name !== 'xmlns' && namespaceURI !== instanceNamespace,
    )
    .map(({ localName: local, name, value }) => ({ name: local ?? name, value }));

/** Returns the text of an element itself, without that of the elements in it. */
const ownText = (element: Element): string =>
  [...element.childNodes]
    .map((node) => (node.nodeType === 3 || node.nodeType === 4 ? node.nodeValue : ''))
    .join('');

const scalars = ['string', 'number', 'integer', 'boolean', 'null'];

const isScalar = ({ types }: TextPlan): boolean => scalars.some((type) => types.has(type));

/** Converts a text. Only a string keeps the white space around it. */
function readText(text: string, { types, coerce }: TextPlan): JsonValue {
  return coerce(types.size === 0 || types.has('string') ? text : text.trim());
}

/** Where the elements of a name belong in an object. */
interface Target {
  readonly path: readonly string[];
  readonly plan: TextPlan;
  readonly namespace: JsonValue | undefined;
  /** Whether each of the elements is an item of a list. */
  readonly isItem: boolean;
}

/** The nodes that the properties of an object have. */
interface Nodes {
  readonly attributes: ReadonlyMap<string, Target>;
  readonly elements: ReadonlyMap<string, Target>;
  readonly text: Target | undefined;
  /** The required lists without an element of their own: if they are empty, nothing of them is there. */
  readonly lists: readonly string[];
}

const known = new WeakMap<TextPlan, Nodes>();

function nodesOf(plan: TextPlan, prefix: readonly string[] = []): Nodes {
  const remembered = known.get(plan);
  if (remembered !== undefined && prefix.length === 0) return remembered;
  const attributes = new Map<string, Target>();
  const elements = new Map<string, Target>();
  const lists: string[] = [];
  let text: Target | undefined;
  for (const name of plan.names) {
    const property = plan.member(name);
    const { xml, types } = property;
    const nodeType = nodeTypeOf(xml);
    const target = { path: [...prefix, name], plan: property, namespace: xml['namespace'], isItem: false };
    if (nodeType === 'attribute' && !types.has('object') && !types.has('array')) {
      attributes.set(localName(xml, name), target);
    } else if ((nodeType === 'text' || nodeType === 'cdata') && isScalar(property)) text = target;
    else if (nodeType === 'none' && types.has('object') && prefix.length < mostInlined) {
      const inner = nodesOf(property, target.path);
      inner.attributes.forEach((each, key) => attributes.set(key, each));
      inner.elements.forEach((each, key) => elements.set(key, each));
      text ??= inner.text;
    } else if (types.has('array') && !isWrapped(xml)) {
      const items = itemXml(name, property);
      elements.set(localName(items, name), { ...target, namespace: items['namespace'], isItem: true });
      if (plan.required.has(name) && !types.has('null')) lists.push(name);
    } else elements.set(localName(xml, name), target);
  }
  const nodes = { attributes, elements, text, lists };
  if (prefix.length === 0) known.set(plan, nodes);
  return nodes;
}

/** A schema may contain itself without an element between. */
const mostInlined = 5;

function setAt(object: JsonObject, [name = '', ...inside]: readonly string[], value: JsonValue): void {
  if (inside.length === 0) {
    setOwn(object, name, value);
    return;
  }
  const present = Object.hasOwn(object, name) ? object[name] : undefined;
  const inner = isJsonObject(present) ? present : {};
  setOwn(object, name, inner);
  setAt(inner, inside, value);
}

function isNil(element: Element): boolean {
  return ['true', '1'].includes(element.getAttributeNS(instanceNamespace, 'nil') ?? '');
}

/** Reads the value of a member from all elements of its name. */
function readMember(found: readonly Element[], { plan, isItem, path }: Target, level: number): JsonValue {
  const [first] = found;
  if (first === undefined) return null;
  const items = plan.items();
  if (isItem && (found.length > 1 || !isScalar(plan) || plan.types.has('null'))) {
    const isNull = found.length === 1 && isNil(first) && plan.types.has('null') && !items.types.has('null');
    return isNull ? null : found.map((element) => readElement(element, items, level));
  }
  if (found.length > 1) return found.map((element) => readElement(element, plan, level));
  if (!plan.types.has('array') || isItem || isNil(first)) return readElement(first, plan, level);
  return readItems(first, plan, { level, name: localName(itemXml(path.at(-1) ?? '', plan), 'item') });
}

/** Reads a list from the elements in an element. Elements of other names make it an object. */
function readItems(
  element: Element,
  plan: TextPlan,
  { level, name }: { readonly level: number; readonly name: string | undefined },
): JsonValue {
  const children = childElements(element);
  const isList =
    dataAttributes(element).length === 0 &&
    ownText(element).trim() === '' &&
    children.every((child) => name === undefined || child.localName === name);
  if (!isList) return readObject(element, plan, level);
  return children.map((child) => readElement(child, plan.items(), level + 1));
}

function readElement(element: Element, plan: TextPlan, level: number): JsonValue {
  if (level > mostLevels) throw new Malformed(`it has more than ${mostLevels} levels of elements`);
  if (isNil(element)) return null;
  const isLeaf = childElements(element).length === 0 && dataAttributes(element).length === 0;
  const { types } = plan;
  if (isLeaf && (isScalar(plan) || types.size === 0)) {
    const isOnlyNull = scalars.filter((type) => types.has(type)).join('') === 'null' && types.size > 1;
    if (!isOnlyNull) return readText(ownText(element), plan);
  }
  if (types.has('array')) {
    const { name } = plan.items().xml;
    const declared = typeof name === 'string' ? localName({ name }, 'item') : undefined;
    return readItems(element, plan, { level, name: declared });
  }
  return readObject(element, plan, level);
}

/** Reads an object. A node that the schema does not declare becomes a member that it does not declare. */
function readObject(element: Element, plan: TextPlan, level: number): JsonObject {
  const { attributes, elements, text, lists } = nodesOf(plan);
  const object: JsonObject = {};
  // A name that the schema declares as another node must not pass for it.
  const strayName = (name: string, mark: string): string => (plan.names.has(name) ? `${mark}${name}` : name);
  for (const { name, value } of dataAttributes(element)) {
    const target = attributes.get(name);
    if (target === undefined) setOwn(object, strayName(name, '@'), value);
    else setAt(object, target.path, readText(value, target.plan));
  }
  const groups = new Map<string, Element[]>();
  for (const child of childElements(element)) {
    const local = child.localName ?? child.tagName;
    const namespace = elements.get(local)?.namespace;
    const isOther = typeof namespace === 'string' && namespace !== child.namespaceURI;
    const key = isOther ? `{${child.namespaceURI ?? ''}}${local}` : local;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [child]);
    else group.push(child);
  }
  for (const [name, found] of groups) {
    const stray = plan.member(name);
    const target = elements.get(name) ?? {
      path: [strayName(name, '<')],
      plan: stray,
      namespace: undefined,
      isItem: stray.types.has('array'),
    };
    setAt(object, target.path, readMember(found, target, level + 1));
  }
  const own = ownText(element);
  if (text !== undefined && (own.trim() !== '' || text.plan.types.has('string'))) {
    setAt(object, text.path, readText(own, text.plan));
  } else if (own.trim() !== '') setOwn(object, '#text', own);
  for (const name of lists) if (!Object.hasOwn(object, name)) setOwn(object, name, []);
  return object;
}

function parse(content: Uint8Array, media: DeclaredContent, contentType: string): ParsedContent | undefined {
  const plan = textPlanOf(media.schema?.schema);
  // A schema of a string describes the text of the document.
  if (plan.types.size > 0 && !plan.types.has('object') && !plan.types.has('array')) return undefined;
  try {
    const element = parseDocument(decodeXml(content, contentType));
    const { name } = plan.xml;
    const wanted = typeof name === 'string' ? localName({ name }, '') : undefined;
    if (wanted !== undefined && element.localName !== wanted) {
      throw new Malformed(`its root element is ${element.tagName}, not ${wanted}`);
    }
    return { kind: 'value', value: readElement(element, plan, 0) };
  } catch (error) {
    if (error instanceof Malformed) return { kind: 'malformed', reason: error.message };
    throw error;
  }
}

/** Reads and writes XML by the schema and its `xml` objects (OpenAPI 3.1 §4.8.26). */
export const readingXmlCodec: Codec = { ...xmlCodec, parse };
