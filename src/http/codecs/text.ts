import { toText } from '../../json/print.ts';
import { createCoercion } from '../../schema/coerce.ts';
import { decodeUtf8, latin1Text, textBytes } from '../bytes.ts';
import type { Codec } from './codec.ts';

/** Parses a text, or a number or a boolean if the schema accepts no text. Bytes that are no UTF-8 are a character each. */
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

/** Reads and writes `application/octet-stream`: a character of the text is a byte. */
export const binaryCodec: Codec = {
  matches: (essence) => essence === 'application/octet-stream',
  holds: 'text',
  parse,
  serialize: (value) => textBytes(toText(value)),
};
