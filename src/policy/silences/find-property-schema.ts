import type { Contract } from '../../contract/contract.ts';
import { resolveObject } from '../../contract/resolve-object.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer, type JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';

/**
 * The schema of a property as the document has it, through `$ref` and `allOf`.
 *
 * @param input.pointer - the place of the schema of the object
 * @returns undefined where none declares it
 */
export function findPropertySchema(input: {
  readonly contract: Contract;
  readonly pointer: JsonPointer;
  readonly name: string;
}): JsonObject | undefined {
  const { contract, name } = input;
  const entered = new Set<JsonPointer>();

  function find(place: JsonPointer): JsonObject | undefined {
    const found = entered.has(place) ? undefined : resolveObject(contract.root, place);
    entered.add(place);
    if (found === undefined) {
      return undefined;
    }
    const { properties, allOf } = found.value;
    const own = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isJsonObject(own)) {
      return own;
    }
    const parts = Array.isArray(allOf) ? allOf : [];
    return parts
      .map((_, index) => find(appendPointer(found.pointer, 'allOf', index)))
      .find((each) => each !== undefined);
  }

  return find(input.pointer);
}
