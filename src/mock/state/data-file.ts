import { DocumentError, type SourceText, type TextLocation, TextPlaces } from '../../document/document.ts';
import type { FileOptions } from '../../document/read-file.ts';
import { nameSource, parseSource, readSource, toSourceUrl } from '../../document/source.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { isJson, parseJson } from '../../json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { findFirst } from '../store/insertion-order.ts';
import { type GivenRows, notePlace, withoutSchema } from './rows.ts';

/** Prepares the search for locations in a text by their offsets. The lines are found only once. */
function createLocator({ file, text }: SourceText): (offset: number) => TextLocation {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    const line = findFirst(starts, (start) => start > offset);
    return { file, line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

const shape = 'Give rows by the path of their collection, { "/orders": [ … ] }, or a list of rows';

function unreadable(
  subject: string,
  reason: string,
  about: { readonly remedy: string; readonly cause?: unknown } = { remedy: shape },
): ClocheError {
  return new ClocheError('DATA_INVALID', { attempt: 'read the data of', subject, reason, ...about });
}

function toFormat({ file, text }: SourceText): 'json' | 'yaml' | 'ndjson' {
  const extension = /\.([a-z]+)$/u.exec(file.toLowerCase())?.[1] ?? '';
  if (extension === 'ndjson' || extension === 'jsonl') return 'ndjson';
  if (extension === 'json') return 'json';
  const isLines =
    extension !== 'yaml' &&
    extension !== 'yml' &&
    /^\s*\{.*\}[ \t\r]*\n\s*\{/u.test(text) &&
    !isJson(text, 512);
  return isLines ? 'ndjson' : 'yaml';
}

function toRows(
  list: readonly JsonValue[],
  file: string,
  placeOf: (index: number) => TextLocation,
): readonly JsonObject[] {
  return list.map((row, index) => {
    const place = placeOf(index);
    if (!isJsonObject(row)) {
      const remedy = 'Write each row as an object with the properties of a resource';
      throw unreadable(file, `${file}:${place.line}:${place.column}: a row must be an object`, { remedy });
    }
    notePlace(row, place);
    return row;
  });
}

function parseLines({ file, text }: SourceText): GivenRows {
  const list: JsonValue[] = [];
  const lines: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    if (parsed.kind === 'syntax') {
      const remedy = 'Write one JSON object on each line';
      throw unreadable(file, `${file}:${index + 1}:${parsed.column}: ${parsed.reason}`, { remedy });
    }
    list.push(parsed.value);
    lines.push(index + 1);
  }
  // A file may be empty while it is being written. Changes of clients must not be lost for that.
  if (list.length === 0) throw unreadable(file, 'it is empty');
  return toRows(list, file, (index) => ({ file, line: lines[index] ?? 1, column: 1 }));
}

function toGivenRows(value: JsonValue, source: SourceText, places: TextPlaces): GivenRows {
  const { file } = source;
  const locate = createLocator(source);
  const rowsOf = (list: readonly JsonValue[]): readonly JsonObject[] => {
    const members = places.get(list)?.members;
    return toRows(list, file, (index) => locate(members?.get(String(index)) ?? 0));
  };
  if (Array.isArray(value)) return rowsOf(value);
  if (!isJsonObject(value)) {
    throw unreadable(file, value === null ? 'it is empty' : 'it is neither an object nor a list');
  }
  const offsets = places.get(value)?.members;
  return Object.fromEntries(
    Object.entries(withoutSchema(value)).map(
      ([path, list]): readonly [string, readonly JsonObject[] | JsonObject] => {
        const { line, column } = locate(offsets?.get(path) ?? 0);
        const place = `${file}:${line}:${column}`;
        if (!path.startsWith('/')) {
          throw unreadable(file, `${place}: ${JSON.stringify(path)} is no path of a collection`);
        }
        if (isJsonObject(list)) {
          notePlace(list, { file, line, column });
          return [path, list];
        }
        if (!Array.isArray(list)) {
          const reason = `what stands under ${JSON.stringify(path)} is neither a list of rows nor an object`;
          throw unreadable(file, `${place}: ${reason}`);
        }
        return [path, rowsOf(list)];
      },
    ),
  );
}

/**
 * Parses initial data: JSON, YAML 1.2, or one JSON row per line (NDJSON), by the extension of the file, or else by its
 * content. Numbers keep all digits. Each row keeps its line and column, for the error if it is rejected.
 *
 * @returns rows by the path of their collection, or without a path
 * @throws ClocheError DATA_INVALID if it cannot be read, or has another shape
 */
export async function parseData(source: SourceText): Promise<GivenRows> {
  const { file } = source;
  const format = toFormat(source);
  if (format === 'ndjson') return parseLines(source);
  const places = new TextPlaces();
  let value: JsonValue;
  try {
    value = await parseSource({ ...source, isJson: format === 'json', places });
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const [problem] = error.problems;
    if (problem === undefined) throw error;
    const { line, column, reason, remedy } = problem;
    const rest = error.problems.length - 1;
    const more = rest === 0 ? '' : `, and ${rest} more ${rest === 1 ? 'problem' : 'problems'}`;
    throw unreadable(file, `${file}:${line}:${column}: ${reason}${more}`, { remedy });
  }
  return toGivenRows(value, source, places);
}

/**
 * Reads a file with initial data: JSON, YAML or NDJSON, see parseData.
 *
 * @param source - a path, or an http, https or file URL
 * @throws ClocheError DATA_INVALID if it cannot be read, or has another shape
 *
 * @example
 * const mock = await createMock('orders.yaml', { data: await readData('orders.ndjson') });
 */
export async function readData(source: string, options?: FileOptions): Promise<GivenRows> {
  const url = toSourceUrl(source);
  const file = nameSource(source, url, url);
  try {
    const { text } = await readSource(url, file, options);
    return await parseData({ file, text });
  } catch (error) {
    if (!(error instanceof ClocheError) || error.code === 'DATA_INVALID') throw error;
    throw unreadable(file, error.reason, { remedy: error.remedy, cause: error });
  }
}
