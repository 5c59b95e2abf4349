import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { schemaObject } from './schema-object.ts';

const structures = new Map<'3.0' | '3.1', JsonObject>();

/**
 * The published JSON Schema of OpenAPI documents of a version, made ready for the evaluator: where a
 * reference may stand in the place of an object, `target` says which object it has to lead to, and of 3.1
 * the Schema Object is spelled out.
 */
export function openApiStructure(version: '3.0' | '3.1'): JsonObject {
  const known = structures.get(version);
  if (known !== undefined) {
    return known;
  }
  const file = createRequire(import.meta.url).resolve(
    `@seriousme/openapi-schema-validator/schemas/v${version}/schema.json`,
  );
  // `as`: JSON.parse is typed `any`, and the file is part of a package.
  const published = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
  const structure = version === '3.0' ? toStructure30(published) : toStructure31(published);
  structures.set(version, structure);
  return structure;
}

function toStructure31(published: JsonObject): JsonObject {
  const { $defs } = published;
  const definitions = isJsonObject($defs) ? Object.entries($defs) : [];
  const amended = definitions.map(([name, definition]): readonly [string, JsonValue] => {
    if (name === 'schema') {
      return [name, schemaObject];
    }
    if (name === 'path-item') {
      return [name, withTarget(definition, { $ref: '#/$defs/path-item' })];
    }
    return [name, isJsonObject(definition) ? withTarget(definition, definition['else']) : definition];
  });
  return { ...published, $defs: Object.fromEntries(amended) };
}

function withTarget(definition: JsonValue, target: JsonValue | undefined): JsonValue {
  return isJsonObject(definition) && target !== undefined ? { ...definition, target } : definition;
}

/**
 * In 3.0 what may be a reference is `oneOf` the object and the reference, so that a mistake in the object
 * would be two: it is no reference either. Which is meant shows in `$ref`.
 */
function toStructure30(value: JsonObject): JsonObject {
  const amended = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, amend(member)]));
  const { oneOf } = amended;
  if (!Array.isArray(oneOf) || !oneOf.some(isReference)) {
    return amended;
  }
  const others = oneOf.filter((branch) => !isReference(branch));
  const [first = true] = others;
  return {
    if: { type: 'object', required: ['$ref'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { $ref: '#/definitions/Reference' },
    else: others.length === 1 ? first : { oneOf: others },
    target: first,
  };
}

function amend(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.map(amend);
  }
  return isJsonObject(value) ? toStructure30(value) : value;
}

function isReference(branch: JsonValue): boolean {
  return isJsonObject(branch) && branch['$ref'] === '#/definitions/Reference';
}
