import type { JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { toXml } from './to-xml.ts';

const xmlType = /^[^;]*[/+]xml[ \t]*(?:;|$)/iu;

/**
 * Writes a value in a media type that is not JSON: a text as it stands, anything else as XML where the type
 * is one of its (RFC 7303 §8), else as JSON.
 *
 * @param contentType - with its parameters
 */
export function renderText(contentType: string, value: JsonValue): string {
  if (typeof value === 'string') {
    return value;
  }
  return xmlType.test(contentType) ? toXml('body', value) : stringifyJson(value);
}
