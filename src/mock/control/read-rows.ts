import { decodeUtf8, joinBytes } from '../../http/bytes.ts';
import { type JsonReading, parseJson } from '../../json/parse.ts';
import { pointerTokens } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { createEventLoopYield } from '../clock.ts';
import { shorten } from '../message.ts';
import { describeSyntax } from '../request/body.ts';

/** The body of an import: its rows, and the rest of it, to which the common checks of a body apply. */
type ReadRows =
  | { readonly kind: 'read'; readonly rows: JsonObject; readonly frame: Uint8Array }
  | { readonly kind: 'refused'; readonly status: 400 | 413; readonly message: string };

/** The number of bytes of rows that are read in one step. */
const sliceBytes = 65_536;
/** The maximum number of bytes of one row, and of everything outside the lists; both are read in one step. */
const mostAtOnce = 4_194_304;
/** The maximum number of rows: while they are checked, several copies are in memory. */
const mostRows = 1_000_000;
/** The same limit as for every body. */
const maxDepth = 512;
const reading: JsonReading = { maxDepth, findDuplicateKeys: true };

/** Reads the rows of an import in slices, with other requests in between. The lists of the frame are empty. */
export async function readRows(content: Uint8Array): Promise<ReadRows> {
  const yieldToEventLoop = createEventLoopYield(1);
  const lists: Cut[] = [];
  let count = 0;
  for (const { kind, from, to } of findParts(content)) {
    await yieldToEventLoop();
    if (kind === 'list') lists.push({ from, to, rows: [] });
    const list = lists.at(-1);
    if (kind !== 'slice' || list === undefined) continue;
    list.to = to;
    if (to - from > mostAtOnce) return tooLarge('A row');
    const rows = readSlice(content.subarray(from, to));
    // A comma is not followed by a row.
    if (rows === undefined || (rows.length === 0 && list.rows.length > 0)) return explain(content);
    rows.forEach((row) => list.rows.push(row));
    count += rows.length;
    if (count > mostRows)
      return refuse(413, `An import may have ${mostRows} rows: bring the others in with mode=merge.`);
  }
  const pieces = [...lists, { from: content.length }].map(({ from }, index) =>
    content.subarray(lists[index - 1]?.to ?? 0, from),
  );
  const frame = joinBytes(pieces);
  if (frame.length > mostAtOnce) return tooLarge('What is no row of a list');
  const rows = fill(frame, lists);
  return rows === undefined ? explain(content) : { kind: 'read', rows, frame };
}

function refuse(status: 400 | 413, message: string): ReadRows {
  return { kind: 'refused', status, message };
}

function tooLarge(what: string): ReadRows {
  return refuse(413, `${what} may have ${mostAtOnce} bytes.`);
}

/** The text between the brackets of a list. */
interface Cut {
  readonly from: number;
  to: number;
  readonly rows: JsonObject[];
}

/** A list, which starts after its bracket, or a slice of its rows without the comma that separates slices. */
interface Part {
  readonly kind: 'list' | 'slice' | 'pause';
  readonly from: number;
  readonly to: number;
}

/** Yields the lists in an object, and their rows in slices. In invalid JSON, the last slice is the rest of the text. */
function* findParts(content: Uint8Array): Generator<Part> {
  let depth = 0;
  let isText = false;
  let from: number | undefined;
  let nextPause = mostAtOnce;
  for (let index = 0; index < content.length; index += 1) {
    const code = content[index];
    if (index >= nextPause) {
      nextPause += mostAtOnce;
      yield { kind: 'pause', from: index, to: index };
    }
    if (isText) {
      if (code === 0x5c) index += 1;
      else isText = code !== 0x22;
    } else if (code === 0x22) {
      isText = true;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth === 2 && code === 0x5b) {
        from = index + 1;
        yield { kind: 'list', from, to: from };
      }
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 1 && from !== undefined) {
        yield { kind: 'slice', from, to: index };
        from = undefined;
      }
    } else if (code === 0x2c && depth === 2 && from !== undefined && index - from >= sliceBytes) {
      yield { kind: 'slice', from, to: index };
      from = index + 1;
    }
  }
  if (from !== undefined) yield { kind: 'slice', from, to: content.length };
}

/** Parses the rows of a slice; undefined if it contains anything else. */
function readSlice(slice: Uint8Array): readonly JsonObject[] | undefined {
  const text = decodeUtf8(slice);
  const parsed =
    text === undefined ? undefined : parseJson(`[${text}]`, { ...reading, maxDepth: maxDepth - 1 });
  if (parsed?.kind !== 'json' || parsed.duplicateKeys.length > 0) return undefined;
  const rows = Array.isArray(parsed.value) ? parsed.value : [];
  const objects = rows.filter(isJsonObject);
  return objects.length === rows.length ? objects : undefined;
}

/** Inserts the lists into the frame; undefined if the frame is not valid JSON. */
function fill(frame: Uint8Array, lists: readonly Cut[]): JsonObject | undefined {
  const text = decodeUtf8(frame);
  const parsed = text === undefined ? undefined : parseJson(text, reading);
  if (parsed?.kind !== 'json') return undefined;
  const left = [...lists];
  // The common checks of a body refuse any other value.
  const members = isJsonObject(parsed.value) ? Object.entries(parsed.value) : [];
  return Object.fromEntries(
    members.map(([path, value]) => [path, Array.isArray(value) ? (left.shift()?.rows ?? []) : value]),
  );
}

/** Explains the problem with a body whose slices cannot be read, by parsing all of it once. */
function explain(content: Uint8Array): ReadRows {
  const text = decodeUtf8(content);
  if (text === undefined) return refuse(400, 'The body is not valid UTF-8.');
  const parsed = parseJson(text, reading);
  if (parsed.kind === 'syntax') return refuse(400, describeSyntax(text, parsed, maxDepth));
  const [twice] = parsed.duplicateKeys;
  if (twice === undefined) return refuse(400, 'The body is not valid: each row of a list must be an object.');
  const key = shorten(JSON.stringify(pointerTokens(twice).at(-1)));
  return refuse(400, `The body has the key ${key} of a row twice.`);
}
