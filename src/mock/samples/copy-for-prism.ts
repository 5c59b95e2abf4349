import type { Contract } from '../../contract/contract.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** A member of an object that is an object itself, or an empty one. */
function member(value: JsonValue | undefined, name: string): JsonObject {
  const found = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(found) ? found : {};
}

/**
 * A private copy of a document, which Prism changes as it reads: numbers as JavaScript has them, callbacks
 * (which it would call) left out, and the dialect named without which it takes 3.1 for draft 7.
 */
export function copyForPrism({ root, openapi }: Contract): JsonObject {
  // `as`: the text was made of an object.
  const copy = JSON.parse(stringifyJson(root)) as JsonObject;
  for (const path of Object.values(member(copy, 'paths'))) {
    for (const operation of Object.values(isJsonObject(path) ? path : {})) {
      if (isJsonObject(operation)) {
        delete operation['callbacks'];
      }
    }
  }
  delete member(copy, 'components')['callbacks'];
  return openapi === '3.1' ? { ...copy, jsonSchemaDialect: dialect } : copy;
}
