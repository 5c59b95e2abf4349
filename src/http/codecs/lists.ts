import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Codec } from './codec.ts';

const listOf = (value: JsonValue): readonly JsonValue[] => (Array.isArray(value) ? value : [value]);

/** Formats a text, or the JSON of a value, as an event (HTML §9.2.6). A text with event fields is unchanged. */
function toEvent(value: JsonValue): string {
  if (typeof value === 'string' && /^(?:data|event|id|retry)?:/mu.test(value)) return value;
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return `${text.replaceAll(/^/gmu, 'data: ')}\n\n`;
}

function toField(value: JsonValue): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes a list as a table. A list of objects gets a header line with their names (RFC 4180). */
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

/** Creates a codec for a stream of items; a string is used as the serialized content. */
function createLines(pattern: RegExp, start = ''): Codec {
  const frame = (item: JsonValue): string => `${start}${stringifyJson(item)}\n`;
  return {
    matches: (essence) => pattern.test(essence),
    holds: 'value',
    serialize: (value) => (typeof value === 'string' ? value : listOf(value).map(frame).join('')),
    frame,
  };
}

/** Writes lists: a table, server-sent events, lines of JSON and JSON text sequences (RFC 7464). */
export const listCodecs: readonly Codec[] = [
  {
    matches: (essence) => essence === 'text/csv',
    holds: 'value',
    serialize: (value) => (typeof value === 'string' ? value : toCsv(value)),
  },
  {
    matches: (essence) => essence === 'text/event-stream',
    holds: 'value',
    serialize: (value) => listOf(value).map(toEvent).join(''),
    frame: toEvent,
  },
  createLines(/^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|json-?lines)$/u),
  createLines(/^application\/json-seq$/u, '\u001E'),
];
