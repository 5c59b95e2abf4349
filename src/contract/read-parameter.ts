import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { Parameter } from './parameter.ts';
import { parseParameterText } from './parse-parameter-text.ts';
import type { ParameterSource } from './parameter-source.ts';
import { schemaProperties } from './schema-properties.ts';
import { schemaTypes } from './schema-types.ts';

const delimiters: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|', label: '.' };

function itemSchema(schema: JsonSchema): JsonSchema {
  const items = isJsonObject(schema) ? schema['items'] : undefined;
  // A schema that stands alone keeps its definitions at its root; its items need them too.
  return isJsonObject(items) && isJsonObject(schema) && schema['$defs'] !== undefined
    ? { ...items, $defs: schema['$defs'] }
    : isJsonObject(items) || typeof items === 'boolean'
      ? items
      : true;
}

function toObject(pairs: readonly (readonly [string, string])[], schema: JsonSchema): JsonObject {
  const properties = schemaProperties(schema);
  return Object.fromEntries(
    pairs.map(([name, text]) => [name, parseParameterText(text, properties.get(name)?.schema ?? true)]),
  );
}

function pairUp(parts: readonly string[], explode: boolean): readonly (readonly [string, string])[] {
  if (explode) {
    return parts.map((part) => [part.split('=', 1)[0] ?? '', part.slice(part.indexOf('=') + 1)] as const);
  }
  return parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? ''] as const] : []));
}

function readText(text: string, parameter: Parameter, schema: JsonSchema): JsonValue {
  const types = schemaTypes(schema);
  const bare =
    parameter.style === 'label'
      ? text.replace(/^\./u, '')
      : parameter.style === 'matrix'
        ? text.replace(/^;[^=]*=?/u, '')
        : text;
  const delimiter =
    (parameter.explode || parameter.style !== 'label' ? delimiters[parameter.style] : undefined) ?? ',';
  if (types.has('array')) {
    const parts = bare === '' ? [] : bare.split(delimiter);
    return parts.map((part) => parseParameterText(part, itemSchema(schema)));
  }
  if (types.has('object')) {
    return toObject(pairUp(bare.split(delimiter), parameter.explode), schema);
  }
  return parseParameterText(bare, schema);
}

function readQuery(parameter: Parameter, source: ParameterSource, schema: JsonSchema): JsonValue | undefined {
  const { name, style, explode } = parameter;
  const query = source.query();
  const types = schemaTypes(schema);
  if (style === 'deepObject') {
    const pairs = [...query].flatMap(([key, text]) => {
      const property =
        key.startsWith(`${name}[`) && key.endsWith(']') ? key.slice(name.length + 1, -1) : undefined;
      return property === undefined ? [] : [[property, text] as const];
    });
    return pairs.length === 0 ? undefined : toObject(pairs, schema);
  }
  if (types.has('object') && style === 'form' && explode) {
    const properties = schemaProperties(schema);
    const pairs = [...query].filter(([key]) => properties.has(key));
    return pairs.length === 0 ? undefined : toObject(pairs, schema);
  }
  const texts = query.getAll(name);
  if (types.has('array') && explode && style === 'form') {
    return texts.length === 0 ? undefined : texts.map((text) => parseParameterText(text, itemSchema(schema)));
  }
  const [text] = texts;
  return text === undefined ? undefined : readText(text, parameter, schema);
}

function rawText({ name, in: place }: Parameter, source: ParameterSource): string | undefined {
  switch (place) {
    case 'path':
      return Object.hasOwn(source.path, name) ? source.path[name] : undefined;
    case 'header':
      return source.header(name);
    case 'cookie':
      return source.cookie(name);
    case 'query':
      return source.query().get(name) ?? undefined;
  }
}

/**
 * Reads the value of a parameter out of a request by its style (OpenAPI 3.1 §4.8.12.2).
 *
 * @returns undefined where the request does not have it
 */
export function readParameter(parameter: Parameter, source: ParameterSource): JsonValue | undefined {
  const schema = parameter.schema?.schema ?? true;
  if (parameter.mediaType !== undefined) {
    const text = rawText(parameter, source);
    const json = text === undefined ? undefined : parseJson(text);
    return json?.kind === 'json' ? json.value : text;
  }
  if (parameter.in === 'query') {
    return readQuery(parameter, source, schema);
  }
  const text = rawText(parameter, source);
  return text === undefined ? undefined : readText(text, parameter, schema);
}
