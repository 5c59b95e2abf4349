import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { decodeUtf8 } from '../bytes.ts';
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
