import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { plainPointer, visitReferences } from './references.ts';

/** A schema that stands alone. */
export interface SelfContainedSchema {
  readonly schema: boolean | JsonObject;
  /** Where a place of the schema, relative to it, stands in the document that it was taken from. */
  readonly placeOf: (place: JsonPointer) => JsonPointer;
}

/**
 * The schema at a place of a document with everything it refers to, recursively, in its `$defs`. Definitions
 * are called what they are called in the document, where nothing else has the name.
 *
 * @throws TypeError where no schema stands there
 */
export function selfContainedSchema(root: JsonObject, pointer: JsonPointer): SelfContainedSchema {
  const names = new Map<JsonPointer, string>();
  const waiting: JsonPointer[] = [];

  function copy(place: JsonPointer): boolean | JsonObject {
    const original = resolvePointer(root, place);
    if (typeof original === 'boolean') return original;
    if (!isJsonObject(original)) throw new TypeError(`No schema stands at ${place}`);
    const schema = copyObject(original);
    visitReferences(schema, {
      reference(holder, reference) {
        const target = plainPointer(reference);
        if (target !== undefined) {
          holder['$ref'] = `#/$defs/${nameTarget(target)}`;
        }
      },
    });
    // What is used of them is referred to by its place in the document.
    delete schema['$defs'];
    return schema;
  }

  function nameTarget(target: JsonPointer): string {
    const known = names.get(target);
    if (known !== undefined) return known;
    // It needs no escaping anywhere, and is another for each.
    const word = (pointerTokens(target).at(-1) ?? 'root').replaceAll(/[^\w.-]/gu, '_');
    const taken = new Set(names.values());
    let name = word;
    for (let count = 2; taken.has(name); count += 1) {
      name = `${word}-${count}`;
    }
    names.set(target, name);
    waiting.push(target);
    return name;
  }

  const schema = copy(pointer);
  const definitions: JsonObject = {};
  for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
    definitions[nameTarget(target)] = copy(target);
  }
  const places = new Map([...names].map(([target, name]) => [name, target]));
  return {
    schema: typeof schema === 'boolean' || names.size === 0 ? schema : { ...schema, $defs: definitions },
    placeOf: (place) => {
      const [first, name = '', ...rest] = pointerTokens(place);
      const target = first === '$defs' ? places.get(name) : undefined;
      const whole = target === undefined ? pointer + place : appendPointer(target, ...rest);
      return deepestPlace(root, whole);
    },
  };
}

/** What was only added for the compiler is left out: the last keyword of a schema `false`. */
function deepestPlace(root: JsonObject, pointer: JsonPointer): JsonPointer {
  let place = pointer;
  while (place !== '' && resolvePointer(root, place) === undefined) {
    place = place.slice(0, place.lastIndexOf('/'));
  }
  return place;
}

/** structuredClone would lose what exact numbers are. */
function copyObject(object: JsonObject): JsonObject {
  const copy = (value: JsonValue): JsonValue =>
    Array.isArray(value) ? value.map(copy) : isJsonObject(value) ? copyObject(value) : value;
  return Object.fromEntries(Object.entries(object).map(([key, member]) => [key, copy(member)]));
}
