import type { Parameter } from '../contract/read-parameters.ts';
import { essenceOf, isJsonMediaType } from '../http/media-type.ts';
import { encodeSegment } from '../http/path.ts';
import { stringifyJson, toText } from '../json/print.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';

type Encode = (text: string) => string;

function asItIs(text: string): string {
  return text;
}

/** Lists the members of a value in a style: items, or names and values, alternating or in pairs. */
function listParts(value: JsonValue, explode: boolean, encode: Encode): readonly string[] {
  if (Array.isArray(value)) return value.map((item) => encode(toText(item)));
  if (!isJsonObject(value)) return [encode(toText(value))];
  const members = Object.entries(value).map(
    ([name, member]) => [encode(name), encode(toText(member))] as const,
  );
  return explode ? members.map(([name, text]) => `${name}=${text}`) : members.flat();
}

function serializePath({ name, style, explode }: Parameter, value: JsonValue): string {
  const parts = listParts(value, explode, encodeURIComponent);
  if (style === 'label') return `.${parts.join(explode ? '.' : ',')}`;
  if (style === 'matrix') {
    const named = parts.map((part) => (isJsonObject(value) ? `;${part}` : `;${name}=${part}`));
    return explode ? named.join('') : `;${name}=${parts.join(',')}`;
  }
  return parts.join(',');
}

/** Serializes the value of a query parameter, or of a property of a URL-encoded form: `name=value&…`. */
export function serializeQuery(
  { name, style, explode }: Pick<Parameter, 'name' | 'style' | 'explode'>,
  value: JsonValue,
): string {
  const field = encodeSegment(name);
  if (isJsonObject(value) && (style === 'deepObject' || explode)) {
    const pairs = Object.entries(value).flatMap(([key, member]) => {
      const items = style === 'deepObject' && Array.isArray(member) ? member : [member];
      return items.map((item) => [style === 'deepObject' ? `${name}[${key}]` : key, toText(item)]);
    });
    return pairs.map((pair) => pair.map(encodeSegment).join('=')).join('&');
  }
  const parts = listParts(value, false, encodeSegment);
  if (Array.isArray(value) && explode) return parts.map((part) => `${field}=${part}`).join('&');
  const delimiter = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style] ?? ',';
  return `${field}=${parts.join(delimiter)}`;
}

/** Serializes a value as a whole query string in a media type (OpenAPI 3.2 §4.12.1). */
function serializeQuerystring(mediaType: string, value: JsonValue): string {
  const essence = essenceOf(mediaType);
  if (essence === 'application/x-www-form-urlencoded' && isJsonObject(value)) {
    const members = Object.entries(value).flatMap(([name, member]) => {
      // A form has no null, and an object within it is JSON.
      const text = isJsonObject(member) ? stringifyJson(member) : member;
      return text === null ? [] : serializeQuery({ name, style: 'form', explode: true }, text);
    });
    return members.filter((member) => member !== '').join('&');
  }
  return encodeURIComponent(isJsonMediaType(essence) ? stringifyJson(value) : toText(value));
}

/** Serializes a cookie: in the `cookie` style without escapes (OpenAPI 3.2 §4.12.3), else percent-encoded. */
function serializeCookie({ name, style, explode }: Parameter, value: JsonValue): string {
  if (style !== 'cookie') return `${name}=${encodeURIComponent(listParts(value, false, asItIs).join(','))}`;
  const parts = listParts(value, explode, asItIs);
  if (!explode) return `${name}=${parts.join(',')}`;
  return parts.map((part) => (isJsonObject(value) ? part : `${name}=${part}`)).join('; ');
}

/**
 * Serializes the value of a parameter in its style (OpenAPI 3.1 §4.8.12.2 and §4.8.12.4): percent-encoded for the path,
 * `name=value&…` for the query, `name=value` for a cookie, the value alone for a header field.
 */
export function serializeParameter(parameter: Parameter, value: JsonValue): string {
  const { name, mediaType, in: place, explode } = parameter;
  const content = mediaType === undefined ? undefined : stringifyJson(value);
  switch (place) {
    case 'path':
      return content === undefined ? serializePath(parameter, value) : encodeURIComponent(content);
    case 'header':
      return content ?? listParts(value, explode, asItIs).join(',');
    case 'cookie':
      return content === undefined
        ? serializeCookie(parameter, value)
        : `${name}=${encodeURIComponent(content)}`;
    case 'querystring':
      return serializeQuerystring(mediaType ?? '', value);
    case 'query':
      return content === undefined
        ? serializeQuery(parameter, value)
        : `${encodeURIComponent(name)}=${encodeURIComponent(content)}`;
  }
}
