import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  type Scalar,
  stringify,
  type YAMLMap,
  visit,
  type YAMLParseError,
  type YAMLSeq,
} from 'yaml';
import { escapeInStrings, escapeLine } from '../errors/console-text.ts';
import { ExactNumber, toJsonNumber } from '../json/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { DocumentError, locateOffset, type SourceText, type TextPlaces } from './document.ts';

/**
 * Removes the items that `isRemoved` selects from a list under a key of a YAML mapping, and appends new ones.
 * Everything else, including comments, stays unchanged.
 */
export function editYamlList(input: {
  readonly text: string;
  readonly key: string;
  readonly isRemoved: (item: JsonObject) => boolean;
  readonly added: readonly JsonObject[];
}): string {
  const { text, key, isRemoved, added } = input;
  const document = parseDocument(text, { version: '1.2' });
  const list = document.get(key);
  if (isSeq(list)) {
    // `as`: JSON input stays JSON.
    list.items = list.items.filter((item) => !isMap(item) || !isRemoved(item.toJSON() as JsonObject));
    list.items.push(...added.map((item: JsonValue) => document.createNode(item)));
    list.flow = list.items.length === 0;
  }
  return document.toString({ lineWidth: 0 });
}

/** The maximum number of values from aliases. A few levels of ten aliases each would fill any memory. */
const mostAliased = 200_000;

/** A plain number that JavaScript can read but that is not a JSON number: `+1`, `.5`, `1.`, `007`. */
const looseNumber = /^([+-]?)0*(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/u;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

interface YamlProblem {
  readonly offset: number;
  readonly reason: string;
  readonly remedy: string;
}

type Refuse = (node: unknown, reason: string, remedy: string) => null;

/**
 * Converts YAML to JSON. Keys become strings, numbers keep their digits, and aliases and merge keys (`<<`) are replaced
 * with copies of their targets. `refuse` is called for values that JSON does not have, and before a RangeError for too
 * deep nesting or too many aliases.
 */
function yamlToJson(
  document: Document.Parsed,
  { source, places }: { readonly source: SourceText; readonly places: TextPlaces },
  refuse: Refuse,
): JsonValue {
  /** The anchored values that are being read. An alias within its own target would recurse forever. */
  const open = new Set<unknown>();
  const targets = findAliased(document);
  let aliased = 0;
  let isInAlias = false;

  function toValue(node: unknown): JsonValue {
    aliased += isInAlias ? 1 : 0;
    if (aliased > mostAliased) {
      const remedy = 'Write some of it out; a document of OpenAPI may use $ref';
      refuse(node, `its aliases expand to more than ${mostAliased} values`, remedy);
      throw new RangeError('Too many aliases');
    }
    if (isAlias(node)) return toAliased(node, targets.get(node));
    if (isMap(node) || isSeq(node)) {
      open.add(node);
      const value = isMap(node) ? toObject(node) : toArray(node);
      open.delete(node);
      return value;
    }
    return isScalar(node) ? toScalar(node, refuse) : null;
  }

  function toAliased(alias: unknown, target: unknown): JsonValue {
    if (open.has(target)) {
      const remedy = 'Write a value in its place; in a document of OpenAPI a $ref may refer to itself';
      return refuse(alias, 'the alias is inside the value that it refers to', remedy);
    }
    const wasInAlias = isInAlias;
    isInAlias = true;
    const value = toValue(target);
    isInAlias = wasInAlias;
    return value;
  }

  function toArray(node: YAMLSeq): JsonValue {
    const value = node.items.map((item) => toValue(item));
    const members = new Map(node.items.map((item, index) => [String(index), startOf(item)]));
    places.set(value, { source, start: startOf(node), members });
    return value;
  }

  function toObject(node: YAMLMap): JsonObject {
    const entries = new Map<string, JsonValue>();
    const members = new Map<string, number>();
    const merged: Pair[] = [];
    for (const pair of node.items) {
      const key = toKey(pair.key);
      if (key === undefined) {
        refuse(pair.key, 'a key must be a string', 'Write the key as a plain word or in quotes');
      } else if (isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.key.source === '<<') {
        merged.push(pair);
      } else if (entries.has(key)) {
        refuse(pair.key, `the key ${JSON.stringify(key)} stands twice in one object`, 'Remove one of them');
      } else {
        entries.set(key, toValue(pair.value));
        members.set(key, startOf(pair.key));
      }
    }
    for (const pair of merged) {
      mergeInto(entries, members, pair);
    }
    const value: JsonObject = Object.fromEntries(entries);
    places.set(value, { source, start: startOf(node), members });
    return value;
  }

  /** Merges a mapping. Existing and previously merged members stay (YAML merge key, type tag:yaml.org,2002:merge). */
  function mergeInto(entries: Map<string, JsonValue>, members: Map<string, number>, pair: Pair): void {
    const merged = toValue(pair.value);
    for (const source of Array.isArray(merged) ? merged : [merged]) {
      if (!isJsonObject(source)) {
        refuse(pair.key, 'a merge key must stand before a mapping', 'Give it an alias of a mapping');
        return;
      }
      for (const [key, value] of Object.entries(source)) {
        if (!entries.has(key)) {
          entries.set(key, value);
          members.set(key, places.get(source)?.members.get(key) ?? startOf(pair.key));
        }
      }
    }
  }

  return toValue(document.contents);
}

function toScalar(node: Scalar, refuse: Refuse): JsonValue {
  const { value, source: text = '' } = node;
  if (typeof value === 'number') {
    const written = node.type === 'PLAIN' ? toNumberText(text) : undefined;
    if (written !== undefined) return toJsonNumber(written);
    return Number.isFinite(value)
      ? value
      : refuse(node, `${text} is no number in JSON`, 'Write a finite number');
  }
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

/** Finds the last value with the anchor before each alias (YAML 1.2.2 §3.2.2.2). One pass, as there may be many. */
function findAliased(document: Document.Parsed): ReadonlyMap<unknown, unknown> {
  const anchored = new Map<string, unknown>();
  const found = new Map<unknown, unknown>();
  visit(document, {
    Alias(_key, alias) {
      found.set(alias, anchored.get(alias.source));
    },
    Value(_key, node) {
      if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return found;
}

function startOf(node: unknown): number {
  return (isAlias(node) || isMap(node) || isScalar(node) || isSeq(node)) && node.range ? node.range[0] : 0;
}

/** Returns keys such as 200, true and null as they are written. */
function toKey(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

function toNumberText(text: string): string | undefined {
  if (jsonNumber.test(text)) return text;
  const parts = looseNumber.exec(text);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', power = ''] = parts;
  return `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}${power}`;
}

/**
 * Reads a text as YAML 1.2 in its core schema, with merge keys, if it can be expressed in JSON.
 *
 * @throws DocumentError DOCUMENT_SYNTAX, with every problem
 */
export function parseYaml(source: SourceText, places: TextPlaces): JsonValue {
  const problems: YamlProblem[] = [];
  let value: JsonValue = null;
  try {
    const options = { version: '1.2', prettyErrors: false, uniqueKeys: false, logLevel: 'error' } as const;
    const document = parseDocument(source.text, options);
    problems.push(...document.errors.map(toProblem));
    if (problems.length === 0) {
      value = yamlToJson(document, { source, places }, (node, reason, remedy) => {
        problems.push({ offset: startOf(node), reason, remedy });
        return null;
      });
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (problems.length === 0) {
      problems.push(tooDeep(0));
    }
  }
  if (problems.length === 0) return value;
  throw new DocumentError('DOCUMENT_SYNTAX', {
    source: source.file,
    problems: problems.map(({ offset, ...words }) => ({ ...locateOffset(source, offset), ...words })),
  });
}

function toProblem({ code, message, pos }: YAMLParseError): YamlProblem {
  if (code === 'MULTIPLE_DOCS') {
    return { offset: pos[0], reason: 'a second document begins', remedy: 'Keep one of them in the file' };
  }
  if (code === 'RESOURCE_EXHAUSTION') return tooDeep(pos[0]);
  const reason = message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/u, '');
  return { offset: pos[0], reason, remedy: 'Correct the YAML' };
}

function tooDeep(offset: number): YamlProblem {
  return { offset, reason: 'it is nested too deeply', remedy: 'Flatten it, or move parts into components' };
}

function toPlain(value: JsonValue): unknown {
  if (value instanceof ExactNumber) {
    return /^-?\d+$/u.test(value.text) ? BigInt(value.text) : Number(value.text);
  }
  if (Array.isArray(value)) return value.map(toPlain);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toPlain(member)]))
    : value;
}

/**
 * Writes a JSON value as YAML 1.2 for people to read; integers keep all digits. A text that YAML 1.1 reads as another
 * type, such as `yes`, is quoted. If a text contains sequences that a terminal or a CI server executes, all texts are
 * quoted, and those sequences are escaped.
 */
export function renderYaml(value: JsonValue): string {
  const plain = toPlain(value);
  const options = { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' } as const;
  const text = stringify(plain, options);
  if (text.split('\n').every((line) => escapeLine(line) === line)) return text;
  return escapeInStrings(
    stringify(plain, {
      ...options,
      defaultStringType: 'QUOTE_DOUBLE',
      defaultKeyType: 'QUOTE_DOUBLE',
      // A text that is broken over lines could start a line with a command.
      doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    }),
  );
}
