import { type TextStyle, withoutTextStyle } from '../errors/console-text.ts';
import { decodeUtf8 } from '../http/bytes.ts';
import type { Answer } from '../http/message.ts';
import type { Redactor } from '../http/redact.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';

/** A count and its noun: `1 case`, `2,042 cases`; the plural is given where it is not the noun with an s. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

interface ShownBytes {
  /** base64 for what is no UTF-8. */
  readonly encoding: 'utf-8' | 'base64';
  readonly text: string;
  /** Where only the beginning is shown: how many bytes there were. */
  readonly of?: number;
}

/** A report holds many exchanges, and whoever opens it has to read it whole. */
const mostShown = 1024 * 1024;
/** A secret that stands at the cut is hidden whole. */
const mostRead = mostShown + 64 * 1024;

/** Content as text where it is UTF-8, else in base64; what is secret in it is hidden first, and very long content cut. */
export function showBytes(bytes: Uint8Array, redactor: Redactor): ShownBytes {
  const cut = bytes.length > mostShown ? { of: bytes.length } : {};
  const decoded = decodeUtf8(bytes);
  if (decoded === undefined) {
    const shown = redactor.bytes(bytes.subarray(0, mostRead)).subarray(0, mostShown);
    return { encoding: 'base64', text: Buffer.from(shown).toString('base64'), ...cut };
  }
  const text = redactor.text(decoded.slice(0, mostRead)).slice(0, mostShown);
  // No half of a pair of surrogates at the end.
  return { encoding: 'utf-8', text: text.replace(/[\uD800-\uDBFF]$/u, ''), ...cut };
}

/** The bytes that came, whether they are an answer or not. */
export function receivedBytes(answer: Answer): Uint8Array {
  if (answer.kind === 'response') return answer.response.body;
  return answer.kind === 'unreachable' ? new Uint8Array() : answer.received;
}

function lengthOf(text: string): number {
  // Most is plain, and a long explanation has millions of words.
  return /^[ -~]*$/u.test(text) ? text.length : Array.from(withoutTextStyle(text)).length;
}

/**
 * Breaks a line between words, so that it fits the reader's columns if there are any; a longer word is left whole. Every
 * line but the first is put in by the indent.
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

/** How lines are painted, and the columns that they have to fit; undefined breaks no line. */
export interface Look {
  readonly paint: TextStyle;
  readonly width?: number | undefined;
}

/** A text that stands back, broken between words like any other. */
export function wrapFaint(
  text: string,
  { paint, width, indent }: Look & { readonly indent: number },
): readonly string[] {
  return wrapText(text, { width, indent }).map((line) => paint('faint', line));
}

/** Lines below their heading, apart from what stands before, and broken to fit; nothing where there are no lines. */
export function underHeading(heading: string, lines: readonly string[], look: Look): readonly string[] {
  if (lines.length === 0) return [];
  return ['', heading, ...lines.flatMap((line) => wrapText(line, { ...look, indent: 4 }))];
}

/** What a reader of YAML, an old one too, takes for anything but a text (YAML 1.1 §10.2, bool). */
const words = /^(?:y|n|yes|no|on|off|true|false|null)$/iu;

function renderText(text: string): string {
  return /^[A-Za-z][\w-]*$/u.test(text) && !words.test(text) ? text : JSON.stringify(text);
}

/** A JSON value in the flow style of YAML (YAML 1.2 §7.4), on one line: `{ status: 403, body: empty }`. */
export function renderYamlFlow(value: JsonValue): string {
  if (typeof value === 'string') return renderText(value);
  if (Array.isArray(value)) return `[${value.map((item) => renderYamlFlow(item)).join(', ')}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${renderText(name)}: ${renderYamlFlow(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
