import type { Parameter } from '../contract/parameter.ts';
import { isJsonObject } from '../contract/resolve-object.ts';
import type { JsonValue } from '../json/json-value.ts';
import { stringifyJson } from '../json/stringify-json.ts';

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** The members of a value as a style lists them: items, or names and values in turn or in pairs. */
function listParts(value: JsonValue, explode: boolean): readonly string[] {
  if (Array.isArray(value)) {
    return value.map(toText);
  }
  if (!isJsonObject(value)) {
    return [toText(value)];
  }
  const members = Object.entries(value).map(([name, member]) => [name, toText(member)] as const);
  return explode ? members.map(([name, text]) => `${name}=${text}`) : members.flat();
}

function serializePath({ name, style, explode }: Parameter, value: JsonValue): string {
  const parts = listParts(value, explode);
  if (style === 'label') {
    return `.${parts.join(explode ? '.' : ',')}`;
  }
  if (style === 'matrix') {
    const named = parts.map((part) => (isJsonObject(value) ? `;${part}` : `;${name}=${part}`));
    return explode ? named.join('') : `;${name}=${parts.join(',')}`;
  }
  return parts.join(',');
}

function queryPairs({ name, style, explode }: Parameter, value: JsonValue): readonly (readonly [string, string])[] {
  if (isJsonObject(value) && (style === 'deepObject' || explode)) {
    const members = Object.entries(value);
    return members.map(([key, member]) => [style === 'deepObject' ? `${name}[${key}]` : key, toText(member)]);
  }
  const parts = listParts(value, false);
  if (Array.isArray(value) && explode) {
    return parts.map((part) => [name, part]);
  }
  const delimiter = { spaceDelimited: ' ', pipeDelimited: '|' }[style] ?? ',';
  return [[name, parts.join(delimiter)]];
}

/**
 * Writes the value of a parameter in its style (OpenAPI 3.1 §4.8.12.2 and §4.8.12.4).
 *
 * @returns percent-encoded for the path, `name=value&…` for the query, `name=value` for a cookie; the value
 * alone for a header field
 */
export function serializeParameter(parameter: Parameter, value: JsonValue): string {
  const { name, mediaType, in: place, explode } = parameter;
  const isContent = mediaType !== undefined;
  switch (place) {
    case 'path':
      return encodeURIComponent(isContent ? stringifyJson(value) : serializePath(parameter, value));
    case 'header':
      return isContent ? stringifyJson(value) : listParts(value, explode).join(',');
    case 'cookie':
      return `${name}=${encodeURIComponent(isContent ? stringifyJson(value) : listParts(value, false).join(','))}`;
    case 'query': {
      const pairs = isContent ? [[name, stringifyJson(value)] as const] : queryPairs(parameter, value);
      return pairs.map(([key, text]) => `${encodeURIComponent(key)}=${encodeURIComponent(text)}`).join('&');
    }
  }
}
