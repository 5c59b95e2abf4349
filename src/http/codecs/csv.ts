import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { decodeUtf8 } from '../bytes.ts';
import { type TextPlan, textPlanOf } from '../../schema/coerce.ts';
import type { Codec, DeclaredContent, ParsedContent } from './codec.ts';

const listOf = (value: JsonValue): readonly JsonValue[] => (Array.isArray(value) ? value : [value]);

/** Writes a value. Nothing is null, and a pair of quotes is an empty text. */
function toField(value: JsonValue): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return text === '' || /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes a list as a table. A list of objects gets a header line with their names (RFC 4180). */
function toCsv(value: JsonValue, { schema }: Pick<DeclaredContent, 'schema'>): string {
  const rows = listOf(value);
  const found = rows.flatMap((row) => (isJsonObject(row) ? Object.keys(row) : []));
  // A table without rows still has its header.
  const names = rows.length === 0 ? [...textPlanOf(schema?.schema).items().names] : [...new Set(found)];
  const lines = rows.map((row) =>
    isJsonObject(row)
      ? names.map((name) => (Object.hasOwn(row, name) ? (row[name] ?? null) : null))
      : listOf(row),
  );
  return [...(names.length === 0 ? [] : [names]), ...lines]
    .map((line) => `${line.map(toField).join(',')}\r\n`)
    .join('');
}

interface Field {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Splits a text into records (RFC 4180 §2), which may also end with LF. Returns the reason if it is malformed. */
function splitRecords(text: string): readonly (readonly Field[])[] | string {
  const records: Field[][] = [];
  const special = /[",\r\n]/gu;
  let record: Field[] = [];
  for (let at = 0; ;) {
    const isQuoted = text[at] === '"';
    let end = at;
    if (isQuoted) {
      // Two quotes are one quote of the text.
      do {
        end = text.indexOf('"', end + 1) + 1;
        if (end === 0) return `record ${records.length + 1} has a quote without its end`;
      } while (text[end] === '"');
    } else {
      special.lastIndex = at;
      end = special.exec(text)?.index ?? text.length;
    }
    const raw = text.slice(at, end);
    record.push({ text: isQuoted ? raw.slice(1, -1).replaceAll('""', '"') : raw, isQuoted });
    const lineEnd = /^\r?\n/u.exec(text.slice(end, end + 2))?.[0].length ?? 0;
    if (text[end] === ',') {
      at = end + 1;
    } else if (end < text.length && lineEnd === 0) {
      return `record ${records.length + 1} has ${JSON.stringify(text[end])} ${isQuoted ? 'after a quoted field' : 'in a field without quotes'}`;
    } else {
      records.push(record);
      record = [];
      at = end + lineEnd;
      if (at === text.length) return records;
    }
  }
}

/** A column of a table. */
interface Column extends Pick<TextPlan, 'types' | 'coerce'> {
  readonly name: string;
  readonly isRequired: boolean;
}

/** Returns the value of a field by the schema of its column; undefined for a property that is left out. */
function readField({ text, isQuoted }: Field, { types, coerce, isRequired }: Column): JsonValue | undefined {
  if (text !== '' || isQuoted) return coerce(text);
  if (types.has('null')) return null;
  return isRequired && types.has('string') ? '' : undefined;
}

/** Matches what services read as a boolean. */
const booleanForm = /^(?:[01tfyn]|true|false|yes|no|on|off)$/iu;

/** Returns whether services differ in how they read a field: an empty one, and other spellings of booleans and numbers. */
function isDisputedField({ text, isQuoted }: Field, { types, coerce }: Column): boolean {
  const isText = types.has('string');
  if (text === '') return isQuoted ? types.has('null') : isText || !types.has('null');
  if (isText || types.size === 0 || typeof coerce(text) !== 'string') return false;
  return (types.has('boolean') && booleanForm.test(text)) || !Number.isNaN(Number(text));
}

const malformed = (reason: string): ParsedContent => ({ kind: 'malformed', reason, isDisputed: true });

/** Parses a table with a header line as a list of flat objects; any other schema describes no table. */
function parse(
  content: Uint8Array,
  { schema }: DeclaredContent,
  contentType: string,
): ParsedContent | undefined {
  const plan = textPlanOf(schema?.schema);
  const row = plan.items();
  const isFlat = [...row.names].every(
    (name) => !['object', 'array'].some((type) => row.member(name).types.has(type)),
  );
  const isTable = plan.types.has('array') && row.types.has('object') && isFlat;
  if (!isTable || /;\s*header\s*=\s*"?absent\b/iu.test(contentType)) return undefined;
  const text = decodeUtf8(content);
  if (text === undefined) return malformed('it is not valid UTF-8');
  const records = splitRecords(text.replace(/^\uFEFF/u, ''));
  if (typeof records === 'string') return malformed(records);
  const [head = [], ...rows] = records;
  const columns = head.map(({ text: name }): Column => {
    const { types, coerce } = row.member(name);
    return { name, types, coerce, isRequired: row.required.has(name) };
  });
  if (columns.every(({ name }) => name === '')) return malformed('it has no header line');
  if (new Set(columns.map(({ name }) => name)).size < columns.length) {
    return malformed('its header has a name twice');
  }
  const value: JsonObject[] = [];
  let isDisputed = false;
  for (const [index, fields] of rows.entries()) {
    const isBlank = fields.length === 1 && fields[0]?.text === '' && !fields[0].isQuoted;
    if (isBlank && columns.length > 1) continue;
    if (fields.length !== columns.length) {
      return malformed(`record ${index + 2} has ${fields.length} fields, but the header ${columns.length}`);
    }
    const object: JsonObject = {};
    for (const [at, column] of columns.entries()) {
      const field = fields[at] ?? { text: '', isQuoted: false };
      const member = readField(field, column);
      if (member !== undefined) setOwn(object, column.name, member);
      isDisputed ||= isDisputedField(field, column);
    }
    value.push(object);
  }
  return { kind: 'value', value, ...(isDisputed && { isDisputed }) };
}

/** Reads tables of flat objects, and writes any list (RFC 4180). */
export const csvCodec: Codec = {
  matches: (essence) => essence === 'text/csv',
  holds: 'value',
  parse,
  serialize: (value, media) => (typeof value === 'string' ? value : toCsv(value, media)),
};
