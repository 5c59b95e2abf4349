import type { DeclaredHeader } from '../../contract/declared-response.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { sampleValue } from './sample-value.ts';

/** The text of a value in a header field (OpenAPI 3.1 §4.8.21: style simple). */
function toFieldText(value: JsonValue): string {
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) {
    return String(value);
  }
  return Array.isArray(value)
    ? value.map(toFieldText).join(',')
    : Object.entries(value).flat().map(String).join(',');
}

/**
 * Values for the header fields that a response must carry, names and values in turn.
 *
 * @param except - names in lower case of fields that are filled elsewhere
 */
export function sampleHeaders(
  declared: readonly DeclaredHeader[],
  except: readonly string[] = [],
): readonly string[] {
  return declared
    .filter(({ name, required }) => required && !except.includes(name.toLowerCase()))
    .flatMap(({ name, schema }) => {
      const root = isJsonObject(schema?.schema) ? schema.schema : {};
      const value = sampleValue({ schema: root, root }) ?? 'text';
      return [name, toFieldText(value)];
    });
}
