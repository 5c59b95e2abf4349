import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import { schemaTypes } from '../../schema/walk.ts';
import { decodeUtf8 } from '../bytes.ts';
import type { Codec, DeclaredContent, ParsedContent } from './codec.ts';
import { csvCodec } from './csv.ts';
import { eventStreamCodec } from './event-stream.ts';

const listOf = (value: JsonValue): readonly JsonValue[] => (Array.isArray(value) ? value : [value]);

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

/** Lists: tables, server-sent events, lines of JSON and JSON text sequences (RFC 7464). */
export const listCodecs: readonly Codec[] = [
  csvCodec,
  eventStreamCodec,
  createLines(/^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|json-?lines)$/u),
  createLines(/^application\/json-seq$/u, '\u001E'),
];
