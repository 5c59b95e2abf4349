import { appendPointer, type JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { toInternalPointer } from '../references/to-internal-pointer.ts';
import { resolvePointer } from '../resolve-pointer.ts';

/** An object of a document and its place, references followed. */
export interface FoundObject {
  readonly pointer: JsonPointer;
  readonly value: JsonObject;
}

/** A path and the operations under it. */
export interface FoundPath {
  /** `/orders/{id}` */
  readonly template: string;
  /** The place of the path in `paths`, whatever it refers to. */
  readonly pointer: JsonPointer;
  readonly item: FoundObject;
  readonly operations: readonly FoundObject[];
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * What stands at a place, references followed.
 *
 * @returns undefined where that is no object
 */
export function findObject(root: JsonObject, pointer: JsonPointer): FoundObject | undefined {
  let place: JsonPointer | undefined = pointer;
  for (let step = 0; step < 16 && place !== undefined; step += 1) {
    const value: JsonValue | undefined = resolvePointer(root, place);
    if (!isJsonObject(value)) {
      return undefined;
    }
    if (typeof value['$ref'] !== 'string') {
      return { pointer: place, value };
    }
    place = toInternalPointer(value['$ref']);
  }
  return undefined;
}

/** The paths of a document that are as they should be; of a document with mistakes it gives what there is. */
export function findPaths(root: JsonObject): readonly FoundPath[] {
  const { paths } = root;
  if (!isJsonObject(paths)) {
    return [];
  }
  return Object.keys(paths).flatMap((template) => {
    const pointer = appendPointer('/paths', template);
    const item = template.startsWith('/') ? findObject(root, pointer) : undefined;
    if (item === undefined) {
      return [];
    }
    const operations = methods.flatMap((method) => {
      const value = item.value[method];
      return isJsonObject(value) ? [{ pointer: appendPointer(item.pointer, method), value }] : [];
    });
    return [{ template, pointer, item, operations }];
  });
}
