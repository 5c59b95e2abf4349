import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { schemaTypes } from '../../schema/walk.ts';
import { decodeUtf8 } from '../bytes.ts';
import type { Codec, DeclaredContent, ParsedContent } from './codec.ts';
import { eventStreamCodec } from './event-stream.ts';

const listOf = (value: JsonValue): readonly JsonValue[] => (Array.isArray(value) ? value : [value]);

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

/** Parses one JSON text per line, and skips empty lines; `isOpen` skips a last line that was cut. */
function parseLines(
  content: Uint8Array,
  { schema }: DeclaredContent,
  isOpen: boolean,
): ParsedContent | undefined {
  // A schema of a string describes the whole text.
  const types = schemaTypes(schema?.schema ?? true);
  if (types.size > 0 && !types.has('array')) return undefined;
  const text = decodeUtf8(content);
  if (text === undefined) return { kind: 'malformed', reason: 'it is not valid UTF-8' };
  const items: JsonValue[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const json = (line.startsWith('\u001E') ? line.slice(1) : line).trim();
    if (json === '') continue;
    const parsed = parseJson(json);
    if (parsed.kind === 'json') items.push(parsed.value);
    else if (isOpen && index === lines.length - 1) break;
    else
      return { kind: 'malformed', reason: `line ${index + 1}: ${parsed.reason} (column ${parsed.column})` };
  }
  return { kind: 'value', value: items };
}

/** Creates a codec for a stream of items; a string is used as the serialized content. */
function createLines(pattern: RegExp, start = ''): Codec {
  const frame = (item: JsonValue): string => `${start}${stringifyJson(item)}\n`;
  return {
    matches: (essence) => pattern.test(essence),
    holds: 'value',
    parse: (content, media) => parseLines(content, media, false),
    serialize: (value) => (typeof value === 'string' ? value : listOf(value).map(frame).join('')),
    frame,
    parseStream: (content, media) => parseLines(content, media, true),
  };
}

/** Lists: a table, which is only written, server-sent events, lines of JSON and JSON text sequences (RFC 7464). */
export const listCodecs: readonly Codec[] = [
  {
    matches: (essence) => essence === 'text/csv',
    holds: 'value',
    serialize: (value) => (typeof value === 'string' ? value : toCsv(value)),
  },
  eventStreamCodec,
  createLines(/^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|json-?lines)$/u),
  createLines(/^application\/json-seq$/u, '\u001E'),
];
