import { essenceOf } from '../../http/media-type.ts';
import { pointerTokens } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import { toXml } from './xml.ts';

/** Writes a value in a notation. */
type Write = (value: JsonValue, schema: CompiledSchema | undefined) => string;

const listOf = (value: JsonValue): readonly JsonValue[] => (Array.isArray(value) ? value : [value]);

/** Frames a text, or the JSON of a value, as an event (HTML §9.2.6). A text that has fields already is not framed. */
function toEvent(value: JsonValue): string {
  if (typeof value === 'string' && /^(?:data|event|id|retry)?:/mu.test(value)) return value;
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return `${text.replaceAll(/^/gmu, 'data: ')}\n\n`;
}

function toLines(value: JsonValue, before = ''): string {
  const lines = listOf(value).map((item) => `${before}${stringifyJson(item)}\n`);
  return lines.join('');
}

function toField(value: JsonValue): string {
  const text = value === null ? '' : typeof value === 'string' ? value : stringifyJson(value);
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes a list as a table, of objects with a line of their names (RFC 4180). */
function toCsv(value: JsonValue): string {
  const rows = listOf(value);
  const names = [...new Set(rows.flatMap((row) => (isJsonObject(row) ? Object.keys(row) : [])))];
  const lines = rows.map((row) =>
    isJsonObject(row)
      ? names.map((name) => (Object.hasOwn(row, name) ? (row[name] ?? null) : null))
      : listOf(row),
  );
  return [...(names.length === 0 ? [] : [names]), ...lines]
    .map((line) => `${line.map(toField).join(',')}\r\n`)
    .join('');
}

/** The root element has the name of the component if the schema gives none. */
function toNamedXml(value: JsonValue, compiled: CompiledSchema | undefined): string {
  const isComponent = /^\/(?:components\/schemas|definitions)\/[^/]+$/u.test(compiled?.pointer ?? '');
  const name = isComponent ? pointerTokens(compiled?.pointer ?? '').at(-1) : undefined;
  return toXml(name ?? 'body', value, compiled?.schema);
}

const notations: readonly (readonly [essence: RegExp, write: Write])[] = [
  [/[/+]xml$/u, toNamedXml],
  [/^text\/csv$/u, toCsv],
  [/^text\/event-stream$/u, (value) => listOf(value).map(toEvent).join('')],
  [/^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$/u, (value) => toLines(value)],
  [/^application\/json-seq$/u, (value) => toLines(value, '\u001E')],
];

function findNotation(contentType: string): Write | undefined {
  const essence = essenceOf(contentType);
  return notations.find(([pattern]) => pattern.test(essence))?.[1];
}

/** Whether a media type that is not JSON has a notation for any value: XML, CSV, event streams and lines of JSON. */
export function hasNotation(contentType: string): boolean {
  return findNotation(contentType) !== undefined;
}

/**
 * Writes a value in a media type that is not JSON: in the notation of the type if it has one, else as JSON. A text is
 * written as it is, but framed in an event stream.
 *
 * @param schema - the declared schema, which names the elements of XML
 */
export function renderText(contentType: string, value: JsonValue, schema?: CompiledSchema): string {
  if (typeof value === 'string' && !/^text\/event-stream/iu.test(contentType)) return value;
  return findNotation(contentType)?.(value, schema) ?? stringifyJson(value);
}
