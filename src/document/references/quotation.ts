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

/** Hides examples and constants, in which `$ref` is text, from whoever takes it for a reference. */
export function wrapQuotations(root: JsonValue): void {
  visitReferences(root, {
    quotation(holder, key) {
      // `as`: it is a JSON value to nobody but unwrapQuotations.
      holder[key] = new Quotation(holder[key] ?? null) as unknown as JsonValue;
    },
  });
}

/** Puts back what {@link wrapQuotations} hid. */
export function unwrapQuotations(root: JsonObject): JsonObject {
  const visit = (value: JsonValue): void => {
    if (Array.isArray(value)) {
      value.forEach(visit);
      return;
    }
    if (!isJsonObject(value)) {
      return;
    }
    for (const [key, member] of Object.entries(value)) {
      if (member instanceof Quotation) {
        value[key] = member.value;
      } else {
        visit(member);
      }
    }
  };
  visit(root);
  return root;
}
