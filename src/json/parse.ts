import { evaluate, parse } from '@humanwhocodes/momoa';
import { endOfString, mayLoseDigits, quote, readExactly } from './read-exactly.ts';
import type { JsonPointer } from './pointer.ts';
import { isJsonObject, type JsonValue } from './value.ts';

/** A parsed JSON text. */
export interface ParsedJson {
  readonly kind: 'json';
  readonly value: JsonValue;
  /** Whether the value contains a number that no JavaScript number represents. */
  readonly exact: boolean;
  /** The places of keys that occur more than once in one object. Empty unless the caller requested them. */
  readonly duplicateKeys: readonly JsonPointer[];
}

/** The reason and the position of an error in a text that is not JSON. */
export interface JsonSyntaxProblem {
  readonly kind: 'syntax';
  readonly reason: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** Options for parsing a JSON text. */
export interface JsonReading {
  /** Which of several equal keys of one object counts. @defaultValue 'last' */
  readonly duplicateKey?: 'last' | 'first';
  /** Whether to find equal keys and record their places. @defaultValue false */
  readonly findDuplicateKeys?: boolean;
  /** The maximum nesting depth of arrays and objects. @defaultValue 512 */
  readonly maxDepth?: number;
  /** Whether to find the reason and the position of an error, much slower than parsing. @defaultValue true */
  readonly explains?: boolean;
}

const unexplained: JsonSyntaxProblem = { kind: 'syntax', reason: 'it is no JSON', line: 1, column: 1 };

/**
 * Parses a JSON text (RFC 8259) without losing a digit of its numbers, or returns the reason and the position of an
 * error. It never throws for an invalid text. It rejects a byte order mark at the start, as RFC 8259 §8.1 allows.
 */
export function parseJson(text: string, reading: JsonReading = {}): ParsedJson | JsonSyntaxProblem {
  const maxDepth = reading.maxDepth ?? 512;
  if (text.length > maxDepth && exceedsDepth(text, maxDepth)) {
    return { kind: 'syntax', reason: `it is nested deeper than ${maxDepth} levels`, line: 1, column: 1 };
  }
  if (reading.explains === false && !hasJsonEnds(text)) return unexplained;
  let value: JsonValue;
  try {
    value = parseText(text);
  } catch (error) {
    return reading.explains === false ? unexplained : toSyntaxProblem(text, error);
  }
  const looksForKeys = reading.findDuplicateKeys === true || reading.duplicateKey === 'first';
  const needsExactReader = mayLoseDigits(text) || (looksForKeys && repeatsKey(text, value));
  if (!needsExactReader) return { kind: 'json', value, exact: false, duplicateKeys: [] };
  return { kind: 'json', ...readExactly(text, reading.duplicateKey ?? 'last') };
}

const lastMarks: Readonly<Record<string, string>> = { '{': '}', '[': ']', '"': '"' };

/** Returns whether a text begins and ends like JSON. An error of JSON.parse takes much longer to create. */
function hasJsonEnds(text: string): boolean {
  const trimmed = text.trim();
  const last = lastMarks[trimmed.charAt(0)];
  return last === undefined ? /^[-\dfnt]/u.test(trimmed) : trimmed.endsWith(last);
}

/** Calls JSON.parse. Most of the time of an error would be its stack, which no caller needs. */
function parseText(text: string): JsonValue {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    // `as`: JSON.parse has the type `any`, and returns exactly these values.
    return JSON.parse(text) as JsonValue;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Returns the value of a JSON text; undefined if it is not JSON, or if there is no text. */
export function parseJsonValue(text: string | undefined): JsonValue | undefined {
  const parsed = text === undefined ? undefined : parseJson(text, { explains: false });
  return parsed?.kind === 'json' ? parsed.value : undefined;
}

/**
 * Returns whether the arrays and objects of a JSON text are nested deeper than a limit. It reads only brackets outside
 * strings. Therefore it is safe for a text that was not parsed yet.
 */
export function exceedsDepth(text: string, limit: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return false;
}

/** Returns whether parseJson accepts a text with this depth. It is much faster than finding the reason of an error. */
export function isJson(text: string, maxDepth: number): boolean {
  if (!hasJsonEnds(text) || (text.length > maxDepth && exceedsDepth(text, maxDepth))) return false;
  try {
    parseText(text);
    return true;
  } catch {
    return false;
  }
}

/** An error as a parser reports it. */
interface Complaint {
  readonly message: string;
  readonly offset: number;
}

const tokenWords: Record<string, string> = {
  LBrace: '{',
  RBrace: '}',
  LBracket: '[',
  RBracket: ']',
  Comma: ',',
  Colon: ':',
};

/** A character that is invalid outside the strings of JSON (RFC 8259 §2). */
const stopper = '\0';

function complain(text: string): Complaint | undefined {
  try {
    parse(text, { mode: 'json' });
  } catch (error) {
    if (error instanceof Error && 'offset' in error) {
      return {
        message: error.message.replace(/ found\. \(\d+:\d+\)$/u, ''),
        offset: Number(error.offset),
      };
    }
  }
  return undefined;
}

function placed(text: string, offset: number, reason: string): JsonSyntaxProblem {
  return { kind: 'syntax', reason, ...lineAndColumn(text, offset) };
}

/** Returns the line and column of an offset in a text, from 1. */
export function lineAndColumn(text: string, offset: number): Pick<JsonSyntaxProblem, 'line' | 'column'> {
  if (text !== lastText.text) {
    lastText = { text, starts: [0, ...Array.from(text.matchAll(/\n/gu), ({ index }) => index + 1)] };
  }
  const { starts } = lastText;
  let line = 0;
  for (let last = starts.length; last - line > 1;) {
    const middle = (line + last) >> 1;
    if ((starts[middle] ?? 0) <= offset) line = middle;
    else last = middle;
  }
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
}

/** The offsets of the lines of the last text: callers need many positions in one text. */
let lastText: { readonly text: string; readonly starts: readonly number[] } = { text: '', starts: [0] };

/** Returns whether a word at the end of a text is the beginning of a JSON literal. */
function isBegun(word: string): boolean {
  return ['true', 'false', 'null'].some((whole) => whole.startsWith(word));
}

function describe(text: string, { message, offset }: Complaint): JsonSyntaxProblem {
  const [, kind, found = ''] = /^Unexpected (\w+) '?(.*?)'?$/su.exec(message) ?? [];
  if (kind === 'token') {
    const word = tokenWords[found];
    const what = word === undefined ? `a ${found.toLowerCase()}` : `"${word}"`;
    return placed(text, offset, `${what} stands where none may`);
  }
  // For a broken number the parser reports its start.
  const start = kind === 'character' ? text.concat(stopper).indexOf(found, offset) : offset;
  const isCut = kind === 'identifier' && start + found.length === text.length && isBegun(found);
  return kind === 'end' || start >= text.length || isCut
    ? placed(text, text.length, 'the text ends too early')
    : placed(text, start, `unexpected ${kind} "${found}"`);
}

/** Returns the reason and position of an error, from the text that JSON.parse rejected and the error that it threw. */
export function toSyntaxProblem(text: string, error: unknown): JsonSyntaxProblem {
  if (text.length > mostExplained) {
    const offset = findStop(text);
    return placed(
      text,
      offset,
      offset === text.length ? 'the text ends too early' : `unexpected character "${text.charAt(offset)}"`,
    );
  }
  // If a text ends too early, the parser reports the last token. With an invalid character appended to the text, it
  // reports the end.
  const complaint = complain(text + stopper);
  const isAtEnd = complaint !== undefined && complaint.offset >= text.length;
  if (complaint !== undefined && !(isAtEnd && complain(text) === undefined)) return describe(text, complaint);
  // Only JSON.parse rejects control characters in a string.
  const offset = Number(/position (\d+)/u.exec(String(error))?.[1] ?? 0);
  return placed(text, offset, 'a control character stands unescaped in a string');
}

/** The explaining parser takes seconds for a longer text. */
const mostExplained = 65_536;

/** A word or a number with its end, white space, or a punctuation mark. A string starts with its quote. */
const token =
  /[ \t\n\r]*(?:(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])|["[\]{},:])?/uy;

/** A word that the end of the text cuts off, or the valid beginning of a number. */
const begun = /(?:tr?|tru|fa?|fals?|nu?|nul)$|-?(?:0|[1-9]\d*)?(?:\.\d*)?(?:[eE][+-]?\d*)?/uy;

function endOfBegun(text: string, start: number): number {
  begun.lastIndex = start;
  return start + (begun.exec(text)?.[0].length ?? 0);
}

/** Returns the offset of the first invalid character of a text, or its length if the text ends too early. */
function findStop(text: string): number {
  const open: string[] = [];
  /** The marks that may come next; `v` is a value, and `n` a name. */
  let next = 'v';
  for (let at = 0; ;) {
    token.lastIndex = at;
    const found = token.exec(text)?.[0].trimStart() ?? '';
    const start = token.lastIndex - found.length;
    const [mark = ''] = found;
    const isName = mark === '"' && next.includes('n');
    const isValue = found !== '' && !']},:'.includes(mark) && next.includes('v');
    if (found === '') return next.includes('v') ? endOfBegun(text, start) : Math.min(start, text.length);
    if (!(isName || isValue || next.includes(mark))) return start;
    at = mark === '"' ? endOfString(text, start) + 1 : start + found.length;
    if (at > text.length) return text.length;
    if (mark === '"' && !isJson(text.slice(start, at), 1)) return start;
    if (mark === '[' || mark === '{') open.push(mark);
    if (mark === ']' || mark === '}') open.pop();
    const isInObject = open.at(-1) === '{';
    if (open.length === 0) next = '';
    else if (mark === '[') next = 'v]';
    else if (mark === '{') next = 'n}';
    else if (isName) next = ':';
    else if (mark === ':') next = 'v';
    else if (mark === ',') next = isInObject ? 'n' : 'v';
    else next = isInObject ? ',}' : ',]';
  }
}

/** Every member of an object has one colon outside all strings (RFC 8259 §4). */
function countWrittenMembers(text: string): number {
  let colons = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else if (code === 0x3a) {
      colons += 1;
    }
  }
  return colons;
}

function countMembers(value: JsonValue): number {
  let members = 0;
  // No recursion, because the value may be nested very deeply.
  const left: JsonValue[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const own = isJsonObject(next) ? Object.values(next) : [];
    members += own.length;
    // No spread, because an array may have more items than a call may have arguments.
    (Array.isArray(next) ? next : own).forEach((item) => left.push(item));
  }
  return members;
}

/**
 * Returns whether some object of a JSON text has a key twice. JSON.parse keeps only one of these members, so its value
 * has fewer. This reads each character once, many times faster than a parser that records places.
 */
export function repeatsKey(text: string, value: JsonValue): boolean {
  return countWrittenMembers(text) > countMembers(value);
}

interface ExtendedJson {
  readonly value: JsonValue;
  readonly extension: string;
}

/** Returns the offset after the first value of a text: its closing bracket, its string or its word. */
function findFirstEnd(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '"') {
      index = endOfString(text, index);
    } else if (character === '{' || character === '[') {
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
    }
    if (depth <= 0 && !/[\s\w.+-]/u.test(character)) return index + 1;
  }
  return text.length;
}

function readFirstValue(text: string): ExtendedJson | undefined {
  const first = /^\s*[\w.+-]+/u.exec(text)?.[0].length ?? findFirstEnd(text);
  const parsed = parseJson(text.slice(0, first));
  return parsed.kind === 'json' ? { value: parsed.value, extension: 'text after the value' } : undefined;
}

/** The modes of the parser, and what each accepts beyond JSON. */
const extensions = [
  ['json', 'raw control characters'],
  ['jsonc', 'comments or trailing commas'],
  ['json5', 'JSON5'],
] as const;

/**
 * Parses a text that is not JSON as a lenient parser might (RFC 8259 §9 allows extensions): with comments, trailing
 * commas, single quotes, bare keys, NaN, raw control characters, or text after the value. Returns undefined if none of
 * these applies.
 */
export function readExtendedJson(text: string): ExtendedJson | undefined {
  // momoa 3.3 never returns for a JSON5 string whose last character is a backslash. No form of JSON ends in one.
  if (text.endsWith('\\')) return readFirstValue(text);
  for (const [mode, extension] of extensions) {
    try {
      const tree = parse(text, { mode, allowTrailingCommas: mode !== 'json' });
      // `as`: the tree of a JSON text evaluates to JSON values; NaN and Infinity are numbers too.
      return { value: evaluate(tree) as JsonValue, extension };
    } catch {
      continue;
    }
  }
  return readFirstValue(text);
}
