import { decodeUtf8, latin1Text } from './bytes.ts';

/** A part of `multipart/form-data` (RFC 7578 §4). */
interface FormPart {
  readonly name: string;
  /** Its Content-Type, if present. */
  readonly contentType: string | undefined;
  /** Whether it has a file name (RFC 7578 §4.2). */
  readonly isFile: boolean;
  readonly content: Uint8Array;
}

/** Matches a parameter of Content-Disposition; a quote in it is `\"` or, in browsers, `%22` (RFC 7578 §4.2). */
const parameter = /;[ \t]*([^\s=;"]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/giu;

function readName(disposition: string): string | undefined {
  if (!/^form-data[ \t]*(?:;|$)/iu.test(disposition)) return undefined;
  // Matched in sequence, because a file name may contain `; name=x`.
  const found = [...disposition.matchAll(parameter)].find(([, name]) => name?.toLowerCase() === 'name');
  return (found?.[2]?.replaceAll(/\\(["\\])/gu, '$1') ?? found?.[3])?.replaceAll(
    /%(?:22|0D|0A)/giu,
    (escape) => decodeURIComponent(escape),
  );
}

/** Reads the fields of a part, with names in lower case; the first of several equal names counts. */
function readFields(bytes: Uint8Array): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of (decodeUtf8(bytes) ?? latin1Text(bytes)).split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (colon > 0 && !fields.has(name)) {
      fields.set(name, line.slice(colon + 1).trim());
    }
  }
  return fields;
}

/** Decodes one character per byte, which makes text offsets equal to byte offsets. */
const oneCharacterEach = new TextDecoder('windows-1252');

/** The maximum size of the fields of a part; the name is usually the longest. */
const mostFieldBytes = 16_384;

/**
 * Splits the content of `multipart/form-data` into its parts (RFC 7578, RFC 2046 §5.1.1), in linear time. A returned
 * string is the reason why it cannot be split, without a full stop.
 */
export function parseMultipart(
  content: Uint8Array,
  boundary: string | undefined,
  mostParts: number,
): readonly FormPart[] | string {
  if (boundary === undefined || boundary === '') return 'its Content-Type names no boundary';
  const text = oneCharacterEach.decode(content);
  const delimiter = `\r\n--${boundary}`;
  const parts: FormPart[] = [];
  let at = text.startsWith(delimiter.slice(2)) ? 0 : text.indexOf(delimiter) + 2;
  if (at === 1) return `it holds no line with its boundary, ${JSON.stringify(boundary)}`;
  for (;;) {
    at += delimiter.length - 2;
    if (text.startsWith('--', at)) return parts;
    const start = text.indexOf('\r\n', at);
    if (start === -1 || text.slice(at, start).trim() !== '')
      return 'something stands behind its boundary in one line';
    const end = text.indexOf(delimiter, start);
    if (end === -1) return 'it ends without the line that closes it';
    // A part without fields begins with the empty line.
    const blank = text.indexOf('\r\n\r\n', start);
    if (blank === -1 || blank > end) return 'a part has no empty line behind its fields';
    if (blank - start > mostFieldBytes) return `the fields of a part have more than ${mostFieldBytes} bytes`;
    const fields = readFields(content.subarray(start + 2, Math.max(start + 2, blank)));
    const disposition = fields.get('content-disposition') ?? '';
    const name = readName(disposition);
    if (name === undefined) return 'a part has no Content-Disposition with a name';
    if (parts.length === mostParts) return `it has more than ${mostParts} parts`;
    parts.push({
      name,
      contentType: fields.get('content-type'),
      isFile: [...disposition.matchAll(parameter)].some(([, each]) => /^filename\*?$/iu.test(each ?? '')),
      content: content.subarray(blank + 4, Math.max(blank + 4, end)),
    });
    at = end + 2;
  }
}
