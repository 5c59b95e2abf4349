import { appendPointer, type JsonPointer, resolvePointer, toInternalPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { DocumentProblem } from './document.ts';

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
interface ReferenceVisitor {
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
  if (!isJsonObject(part)) return;
  if (typeof part['$ref'] === 'string') {
    visitor.reference?.(part, part['$ref'], pointer);
  }
  for (const [key, value] of Object.entries(part)) {
    if (except.includes(key)) continue;
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

/**
 * The references inside a document that lead nowhere, or only round in a circle.
 *
 * @param root - with no reference out of it
 */
export function checkReferences(root: JsonObject): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const inCircle = new Set<JsonPointer>();

  visitReferences(root, {
    reference(_holder, reference, pointer) {
      const place = appendPointer(pointer, '$ref');
      const target = toInternalPointer(reference);
      if (target === undefined || resolvePointer(root, target) === undefined) {
        problems.push({
          pointer: place,
          reason: `the reference ${JSON.stringify(reference)} leads to nothing`,
          remedy: 'Correct it, or add what it names',
        });
        return;
      }
      const steps = followInCircle(root, pointer);
      if (steps.length > 0 && !steps.some((step) => inCircle.has(step))) {
        problems.push({
          pointer: place,
          reason: `the reference ${JSON.stringify(reference)} only leads back to itself`,
          remedy: 'Let one of the references in the circle lead to an object',
        });
      }
      for (const step of steps) {
        inCircle.add(step);
      }
    },
  });
  return problems;
}

/** The places on the way of a reference that never arrives; none for one that does. */
function followInCircle(root: JsonObject, start: JsonPointer): readonly JsonPointer[] {
  const steps = new Set<JsonPointer>();
  let pointer: JsonPointer | undefined = start;
  while (pointer !== undefined && !steps.has(pointer)) {
    steps.add(pointer);
    const value = resolvePointer(root, pointer);
    const reference: unknown = isJsonObject(value) ? value['$ref'] : undefined;
    pointer = typeof reference === 'string' ? toInternalPointer(reference) : undefined;
  }
  return pointer === undefined ? [] : [...steps];
}

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
