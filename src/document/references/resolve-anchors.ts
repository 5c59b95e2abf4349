import { appendPointer, type JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { toInternalPointer } from './to-internal-pointer.ts';
import { visitReferences } from './visit-references.ts';

/**
 * Writes each reference inside a document as a plain pointer after `#`, percent-decoded, so that whoever
 * follows it needs no more than RFC 6901: `#/paths/~1a~1%7Bid%7D` and the anchor `#name` (JSON Schema
 * 2020-12 core §8.2.2) alike. One that leads nowhere stays as it is.
 */
export function resolveAnchors(root: JsonObject): void {
  let anchors: ReadonlyMap<string, JsonPointer> | undefined;
  visitReferences(root, {
    reference(holder, reference) {
      const pointer = toInternalPointer(reference);
      if (pointer !== undefined) {
        holder['$ref'] = `#${pointer}`;
        return;
      }
      anchors ??= findAnchors(root);
      const place = anchors.get(reference.slice(1));
      if (reference.startsWith('#') && place !== undefined) {
        holder['$ref'] = `#${place}`;
      }
    },
  });
}

function findAnchors(root: JsonValue): ReadonlyMap<string, JsonPointer> {
  const anchors = new Map<string, JsonPointer>();
  const visit = (value: JsonValue, pointer: JsonPointer): void => {
    if (Array.isArray(value)) {
      value.forEach((item, index) => visit(item, appendPointer(pointer, index)));
    } else if (isJsonObject(value)) {
      if (typeof value['$anchor'] === 'string') {
        anchors.set(value['$anchor'], pointer);
      }
      Object.entries(value).forEach(([key, member]) => visit(member, appendPointer(pointer, key)));
    }
  };
  visit(root, '');
  return anchors;
}
