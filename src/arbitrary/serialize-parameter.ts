import type { Parameter } from '../contract/parameter.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonValue } from '../json/json-value.ts';
import { stringifyJson } from '../json/stringify-json.ts';

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

type Encode = (text: string) => string;

function asItIs(text: string): string {
  return text;
}

/** The members of a value as a style lists them: items, or names and values in turn or in pairs. */
function listParts(value: JsonValue, explode: boolean, encode: Encode): readonly string[] {
  if (Array.isArray(value)) {
    return value.map((item) => encode(toText(item)));
  }
  if (!isJsonObject(value)) {
    return [encode(toText(value))];
  }
  const members = Object.entries(value).map(
    ([name, member]) => [encode(name), encode(toText(member))] as const,
  );
  return explode ? members.map(([name, text]) => `${name}=${text}`) : members.flat();
}

function serializePath({ name, style, explode }: Parameter, value: JsonValue): string {
  const parts = listParts(value, explode, encodeURIComponent);
  if (style === 'label') {
    return `.${parts.join(explode ? '.' : ',')}`;
  }
  if (style === 'matrix') {
    const named = parts.map((part) => (isJsonObject(value) ? `;${part}` : `;${name}=${part}`));
    return explode ? named.join('') : `;${name}=${parts.join(',')}`;
  }
  return parts.join(',');
}

function serializeQuery({ name, style, explode }: Parameter, value: JsonValue): string {
  const field = encodeURIComponent(name);
  if (isJsonObject(value) && (style === 'deepObject' || explode)) {
    const members = Object.entries(value);
    const pairs = members.map(([key, member]) => [
      style === 'deepObject' ? `${name}[${key}]` : key,
      toText(member),
    ]);
    return pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  }
  const parts = listParts(value, false, encodeURIComponent);
  if (Array.isArray(value) && explode) {
    return parts.map((part) => `${field}=${part}`).join('&');
  }
  const delimiter = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style] ?? ',';
  return `${field}=${parts.join(delimiter)}`;
}

/**
 * Writes the value of a parameter in its style (OpenAPI 3.1 §4.8.12.2 and §4.8.12.4).
 *
 * @returns percent-encoded for the path, `name=value&…` for the query, `name=value` for a cookie; the value
 * alone for a header field
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
      return `${name}=${encodeURIComponent(content ?? listParts(value, false, asItIs).join(','))}`;
    case 'query':
      return content === undefined
        ? serializeQuery(parameter, value)
        : `${encodeURIComponent(name)}=${encodeURIComponent(content)}`;
  }
}
