import { ExactNumber } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { schemaProperties } from '../contract/schema-properties.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { BodyGrade } from './request-reading.ts';

const largestPlainNumber = 2 ** 31 - 1;
const largestPlainText = 100;

/** Keywords under which the document itself says which texts are usual. */
const textKeywords = ['enum', 'const', 'format', 'pattern', 'minLength', 'maxLength'];

function isPlainText(text: string, schema: JsonSchema): boolean {
  if (/^[A-Za-z]{3,20}$/u.test(text)) {
    return true;
  }
  const described = isJsonObject(schema) && textKeywords.some((keyword) => Object.hasOwn(schema, keyword));
  return described && text.length <= largestPlainText && /^[\x20-\x7e]*$/u.test(text);
}

function isPlainNumber(number: number | ExactNumber, schema: JsonSchema): boolean {
  const bounded = isJsonObject(schema) && (Object.hasOwn(schema, 'minimum') || Object.hasOwn(schema, 'enum'));
  return typeof number === 'number' && number <= largestPlainNumber && (number >= 1 || bounded);
}

function collectExtremes(
  value: JsonValue,
  schema: JsonSchema,
  place: JsonPointer,
  found: JsonPointer[],
): void {
  if (typeof value === 'string') {
    if (!isPlainText(value, schema)) {
      found.push(place);
    }
  } else if (typeof value === 'number' || value instanceof ExactNumber) {
    if (!isPlainNumber(value, schema)) {
      found.push(place);
    }
  } else if (Array.isArray(value)) {
    const items = isJsonObject(schema) && isJsonObject(schema['items']) ? schema['items'] : true;
    if (value.length > 3) {
      found.push(place);
    }
    value.forEach((item, index) => collectExtremes(item, items, appendPointer(place, index), found));
  } else if (isJsonObject(value)) {
    const properties = schemaProperties(schema);
    for (const [name, member] of Object.entries(value)) {
      const property = properties.get(name);
      if (property === undefined && properties.size > 0) {
        found.push(appendPointer(place, name));
      } else {
        collectExtremes(member, property?.schema ?? true, appendPointer(place, name), found);
      }
    }
  }
}

/**
 * Says how usual a schema-valid body is that nobody disagrees about: what anybody would send, or what few
 * would.
 *
 * @param input.spelledPlainly - whether the text is what a usual writer of JSON would have written
 */
export function gradeBody(input: {
  readonly value: JsonValue;
  readonly schema: JsonSchema;
  readonly spelledPlainly: boolean;
}): BodyGrade {
  const places: JsonPointer[] = input.spelledPlainly ? [] : [''];
  collectExtremes(input.value, input.schema, '', places);
  return places.length === 0 ? { kind: 'plain' } : { kind: 'extreme', places };
}
