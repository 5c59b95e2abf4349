import { type TextStyle, withoutTextStyle } from '../errors/console-text.ts';
import { decodeUtf8 } from '../http/bytes.ts';
import type { Answer } from '../http/message.ts';
import type { Redactor } from '../http/redact.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';

/** Returns a count and its noun: `1 case`, `2,042 cases`. `many` is the plural if it is not the noun with an s. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

interface ShownBytes {
  /** `base64` if the bytes are not UTF-8. */
  readonly encoding: 'utf-8' | 'base64';
  readonly text: string;
  /** The total number of bytes, if only the beginning is shown. */
  readonly of?: number;
}

/** The maximum length of shown content: a report has many exchanges, and a viewer loads all of it. */
const mostShown = 1024 * 1024;
/** Longer than what is shown: a secret across the cut must be hidden completely. */
const mostRead = mostShown + 64 * 1024;

/** Returns content as text if it is UTF-8, else as base64. Secrets are hidden first; very long content is cut. */
export function showBytes(bytes: Uint8Array, redactor: Redactor, isWhole = false): ShownBytes {
  const [read, shown] = isWhole ? [bytes.length, Infinity] : [mostRead, mostShown];
  const cut = bytes.length > shown ? { of: bytes.length } : {};
  const decoded = decodeUtf8(bytes);
  if (decoded === undefined) {
    const kept = redactor.bytes(bytes.subarray(0, read)).subarray(0, shown);
    return { encoding: 'base64', text: Buffer.from(kept).toString('base64'), ...cut };
  }
  const text = redactor.text(decoded.slice(0, read)).slice(0, shown);
  // The text must not end with half a surrogate pair.
  return { encoding: 'utf-8', text: text.replace(/[\uD800-\uDBFF]$/u, ''), ...cut };
}

/** Returns the received bytes, also if they are not a response. */
export function receivedBytes(answer: Answer): Uint8Array {
  if (answer.kind === 'response') return answer.response.body;
  return answer.kind === 'unreachable' ? new Uint8Array() : answer.received;
}

function lengthOf(text: string): number {
  // Most texts are ASCII, and a long explanation has millions of words.
  return /^[ -~]*$/u.test(text) ? text.length : Array.from(withoutTextStyle(text)).length;
}

/**
 * Breaks a line between words to fit the terminal's columns, if `width` is given. A longer word is left whole. Every
 * line but the first is indented.
 */
export function wrapText(
  text: string,
  { width, indent }: { readonly width?: number | undefined; readonly indent: number },
): readonly string[] {
  if (width === undefined || lengthOf(text) <= width) return [text];
  const [start = ''] = /^ */u.exec(text) ?? [];
  const lines: string[] = [];
  let line = start;
  let isEmpty = true;
  for (const piece of text.slice(start.length).match(/ *[^ ]+/gu) ?? []) {
    if (!isEmpty && lengthOf(line + piece) > width) {
      lines.push(line);
      line = ' '.repeat(indent) + piece.trimStart();
    } else {
      line += piece;
    }
    isEmpty = false;
  }
  return [...lines, line];
}

/** The style of lines, and their maximum width in columns; if it is undefined, no line is broken. */
export interface Look {
  readonly paint: TextStyle;
  readonly width?: number | undefined;
}

/** Returns a faint text, broken between words like any other. */
export function wrapFaint(
  text: string,
  { paint, width, indent }: Look & { readonly indent: number },
): readonly string[] {
  return wrapText(text, { width, indent }).map((line) => paint('faint', line));
}

/** Returns an empty line, a heading and its lines, broken to fit; nothing if there are no lines. */
export function underHeading(heading: string, lines: readonly string[], look: Look): readonly string[] {
  if (lines.length === 0) return [];
  return ['', heading, ...lines.flatMap((line) => wrapText(line, { ...look, indent: 4 }))];
}

/** Words that a YAML parser, also one of YAML 1.1, does not read as a string (YAML 1.1 §10.2, bool). */
const words = /^(?:y|n|yes|no|on|off|true|false|null)$/iu;

function renderText(text: string): string {
  return /^[A-Za-z][\w-]*$/u.test(text) && !words.test(text) ? text : JSON.stringify(text);
}

/** Returns a JSON value in YAML flow style (YAML 1.2 §7.4) on one line: `{ status: 403, body: empty }`. */
export function renderYamlFlow(value: JsonValue): string {
  if (typeof value === 'string') return renderText(value);
  if (Array.isArray(value)) return `[${value.map((item) => renderYamlFlow(item)).join(', ')}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${renderText(name)}: ${renderYamlFlow(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
