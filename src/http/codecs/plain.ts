import { parseJson } from '../../json/parse.ts';
import { stringifyJson, toText } from '../../json/print.ts';
import { createCoercion } from '../../schema/coerce.ts';
import { decodeUtf8, latin1Text, textBytes } from '../bytes.ts';
import { isJsonMediaType } from '../media-type.ts';
import type { Codec } from './codec.ts';

/** Reads and writes JSON (RFC 8259). The mock and the checks parse requests more strictly, as a policy decides. */
export const jsonCodec: Codec = {
  matches: isJsonMediaType,
  holds: 'value',
  parse(content) {
    const text = decodeUtf8(content);
    if (text === undefined) return { kind: 'malformed', reason: 'it is not valid UTF-8' };
    const parsed = parseJson(text);
    return parsed.kind === 'json'
      ? { kind: 'value', value: parsed.value }
      : { kind: 'malformed', reason: parsed.reason };
  },
  serialize: stringifyJson,
};

/** Parses a text, or a number or boolean if the schema rejects text. Invalid UTF-8 is one character per byte. */
const parse: Codec['parse'] = (content, { schema }) => {
  const text = decodeUtf8(content) ?? latin1Text(content);
  const isText = schema?.validator({ formats: 'ignore', integers: 'by-value' }).accepts(text, false);
  const value = schema === undefined || isText ? text : createCoercion(schema.schema, schema.schema)(text);
  return { kind: 'value', value };
};

/** Reads and writes `text/plain`. */
export const textCodec: Codec = {
  matches: (essence) => essence === 'text/plain',
  holds: 'text',
  parse,
  serialize: toText,
};

/** Reads and writes `application/octet-stream`: each character of the text is a byte. */
export const binaryCodec: Codec = {
  matches: (essence) => essence === 'application/octet-stream',
  holds: 'text',
  parse,
  serialize: (value) => textBytes(toText(value)),
};
