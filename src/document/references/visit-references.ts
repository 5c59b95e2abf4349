import { appendPointer, type JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonObject } from '../is-json-object.ts';

/** Members whose value is a mapping from names, under which a keyword is a name like any other. */
const naming = new Set(
  (
    '$defs callbacks content definitions dependentSchemas encoding examples headers links parameters pathItems paths ' +
    'patternProperties properties requestBodies responses schemas securitySchemes variables webhooks'
  ).split(' '),
);
/** Members whose value is an example or a constant: a `$ref` in it is text. */
const quoting = new Set(['const', 'default', 'enum', 'example', 'value']);

/** Where a walk comes past. */
export interface ReferenceVisitor {
  /** An object with a `$ref` that is a reference. */
  reference?(holder: JsonObject, reference: string, pointer: JsonPointer): void;
  /** A member that may hold anything, and is not gone into. */
  quotation?(holder: JsonObject, key: string): void;
}

function isQuotation(key: string, value: JsonValue): boolean {
  return quoting.has(key) || key.startsWith('x-') || (key === 'examples' && Array.isArray(value));
}

/**
 * Walks over a part of an OpenAPI document (of either version) and reports each `$ref` that is a reference:
 * not one in an example, an enum or an extension, and not a property that is called `$ref`.
 *
 * @param pointer - the place of the part
 */
export function visitReferences(part: JsonValue, pointer: JsonPointer, visitor: ReferenceVisitor): void {
  if (Array.isArray(part)) {
    for (const [index, item] of part.entries()) {
      visitReferences(item, appendPointer(pointer, index), visitor);
    }
    return;
  }
  if (!isJsonObject(part)) {
    return;
  }
  if (typeof part['$ref'] === 'string') {
    visitor.reference?.(part, part['$ref'], pointer);
  }
  for (const [key, value] of Object.entries(part)) {
    const place = appendPointer(pointer, key);
    if (isQuotation(key, value)) {
      visitor.quotation?.(part, key);
    } else if (naming.has(key) && isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        visitMember({ key, holder: value, name, pointer: appendPointer(place, name), visitor, member });
      }
    } else {
      visitReferences(value, place, visitor);
    }
  }
}

function visitMember(input: {
  readonly key: string;
  readonly holder: JsonObject;
  readonly name: string;
  readonly member: JsonValue;
  readonly pointer: JsonPointer;
  readonly visitor: ReferenceVisitor;
}): void {
  const { key, holder, name, member, pointer, visitor } = input;
  const isExtension = key === 'paths' && name.startsWith('x-');
  if (isExtension) {
    visitor.quotation?.(holder, name);
    return;
  }
  if (key === 'links' && isJsonObject(member) && typeof member['$ref'] !== 'string') {
    // The parameters and the body of a Link Object are values to send (OpenAPI 3.1 §4.8.20).
    for (const quoted of ['parameters', 'requestBody'].filter((part) => Object.hasOwn(member, part))) {
      visitor.quotation?.(member, quoted);
    }
    return;
  }
  visitReferences(member, pointer, visitor);
}
