import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { visitReferences } from './visit-references.ts';

/** A value that a walk over a document takes for a leaf: it has no enumerable property. */
class Quotation {
  readonly #value: JsonValue;

  constructor(value: JsonValue) {
    this.#value = value;
  }

  get value(): JsonValue {
    return this.#value;
  }
}

/** Calls members of an object otherwise, each in its place. */
function renameKeys(holder: JsonObject, rename: (key: string) => string): void {
  const entries = Object.entries(holder);
  if (entries.every(([key]) => rename(key) === key)) {
    return;
  }
  entries.forEach(([key]) => delete holder[key]);
  for (const [key, value] of entries) {
    // One may be called __proto__, which is not assigned as others are.
    Object.defineProperty(holder, rename(key), {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}

function visitObjects(root: JsonValue, visit: (holder: JsonObject) => void): void {
  if (Array.isArray(root)) {
    root.forEach((item) => visitObjects(item, visit));
  } else if (isJsonObject(root) && !(root instanceof Quotation)) {
    visit(root);
    Object.values(root).forEach((member) => visitObjects(member, visit));
  }
}

/**
 * Hides examples and constants, in which `$ref` is text, from whoever takes it for a reference; and calls `$$ref` what is
 * called `$ref` and is none elsewhere, such as a property, and `$$id` each `$id`, against which references would be resolved.
 */
export function wrapQuotations(root: JsonValue): void {
  const references = new Set<JsonObject>();
  visitReferences(root, {
    reference(holder) {
      references.add(holder);
    },
    quotation(holder, key) {
      // `as`: it is a JSON value to nobody but unwrapQuotations.
      holder[key] = new Quotation(holder[key] ?? null) as unknown as JsonValue;
    },
  });
  visitObjects(root, (holder) =>
    renameKeys(holder, (key) =>
      key === '$id' || /^\$\$+(?:id|ref)$/u.test(key) || (key === '$ref' && !references.has(holder))
        ? `$${key}`
        : key,
    ),
  );
}

/** Puts back what {@link wrapQuotations} hid. */
export function unwrapQuotations(root: JsonObject): JsonObject {
  visitObjects(root, (holder) => {
    renameKeys(holder, (key) => (/^\$\$+(?:id|ref)$/u.test(key) ? key.slice(1) : key));
    for (const [key, member] of Object.entries(holder)) {
      if (member instanceof Quotation) {
        holder[key] = member.value;
      }
    }
  });
  return root;
}
