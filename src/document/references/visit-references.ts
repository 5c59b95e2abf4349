import { appendPointer, type JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonObject } from '../../json/is-json-object.ts';

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
 * Walks over an OpenAPI document (of either version) or a part of one and reports each `$ref` that is a
 * reference: not one in an example, an enum or an extension, and not a property that is called `$ref`.
 */
export function visitReferences(root: JsonValue, visitor: ReferenceVisitor): void {
  visitPart({ part: root, pointer: '', visitor });
}

interface Visit {
  readonly part: JsonValue;
  readonly pointer: JsonPointer;
  readonly visitor: ReferenceVisitor;
  /** Members that are not gone into. */
  readonly except?: readonly string[];
}

function visitPart({ part, pointer, visitor, except = [] }: Visit): void {
  if (Array.isArray(part)) {
    for (const [index, item] of part.entries()) {
      visitPart({ part: item, pointer: appendPointer(pointer, index), visitor });
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
    if (except.includes(key)) {
      continue;
    }
    const place = appendPointer(pointer, key);
    if (isQuotation(key, value)) {
      visitor.quotation?.(part, key);
    } else if (naming.has(key) && isJsonObject(value)) {
      visitNamed({ kind: key, holder: value, pointer: place, visitor });
    } else {
      visitPart({ part: value, pointer: place, visitor });
    }
  }
}

/** @param input.kind - the key that the names stand under */
function visitNamed(input: {
  readonly kind: string;
  readonly holder: JsonObject;
  readonly pointer: JsonPointer;
  readonly visitor: ReferenceVisitor;
}): void {
  const { kind, holder, pointer, visitor } = input;
  for (const [name, member] of Object.entries(holder)) {
    if (kind === 'paths' && name.startsWith('x-')) {
      visitor.quotation?.(holder, name);
      continue;
    }
    if (kind === 'links' && isJsonObject(member)) {
      // The parameters and the body of a Link Object are values to send (OpenAPI 3.1 §4.8.20).
      const quoted = ['parameters', 'requestBody'].filter((key) => Object.hasOwn(member, key));
      quoted.forEach((key) => visitor.quotation?.(member, key));
      visitPart({ part: member, pointer: appendPointer(pointer, name), visitor, except: quoted });
      continue;
    }
    visitPart({ part: member, pointer: appendPointer(pointer, name), visitor });
  }
}
