import { parse, type ValueNode } from '@humanwhocodes/momoa';
import { ExactNumber } from './exact-number.ts';
import { appendPointer, type JsonPointer } from './json-pointer.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { toJsonNumber } from './to-json-number.ts';

/** A JSON text as it was read. */
export interface ParsedJson {
  readonly kind: 'json';
  readonly value: JsonValue;
  /** Whether the value holds an {@link ExactNumber}. */
  readonly exact: boolean;
  /** The places of keys that stand more than once in one object. Empty unless the reader looked for them. */
  readonly duplicateKeys: readonly JsonPointer[];
}

function setKey(target: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  target[key] = value;
}

/**
 * Reads a text known to be JSON, number for number as it was written, and notes keys that stand twice.
 *
 * @param keep - which of several equal keys of one object counts
 */
export function readExactly(text: string, keep: 'last' | 'first'): ParsedJson {
  const duplicateKeys: JsonPointer[] = [];
  let exact = false;
  function toValue(node: ValueNode, pointer: JsonPointer): JsonValue {
    switch (node.type) {
      case 'Number': {
        const number = toJsonNumber(text.slice(node.loc.start.offset, node.loc.end.offset));
        exact ||= number instanceof ExactNumber;
        return number;
      }
      case 'Array':
        return node.elements.map((element, index) => toValue(element.value, appendPointer(pointer, index)));
      case 'Object': {
        const result: JsonObject = {};
        for (const member of node.members) {
          const key = member.name.type === 'String' ? member.name.value : member.name.name;
          const place = appendPointer(pointer, key);
          const repeated = Object.hasOwn(result, key);
          if (repeated) {
            duplicateKeys.push(place);
          }
          const value = toValue(member.value, place);
          if (!repeated || keep === 'last') {
            setKey(result, key, value);
          }
        }
        return result;
      }
      case 'Null':
        return null;
      case 'String':
      case 'Boolean':
        return node.value;
      default:
        // NaN and Infinity belong to JSON5; JSON.parse has refused them before.
        throw new TypeError(`Not JSON: ${node.type}`);
    }
  }
  const value = toValue(parse(text, { mode: 'json' }).body, '');
  return { kind: 'json', value, exact, duplicateKeys };
}
