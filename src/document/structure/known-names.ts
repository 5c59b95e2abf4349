import type { JsonValue } from '../../json/json-value.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { toList } from './to-list.ts';

/** References in the published schemas run in circles, though never for one value. */
const deepest = 8;

/**
 * The properties and patterns that a schema speaks about, whatever the value: one of them may have been
 * meant by a property that it does not know.
 *
 * @param definitionOf - gives what a reference in the schema leads to
 */
export function knownNames(
  schema: JsonValue,
  definitionOf: (reference: string) => JsonValue,
): ReadonlySet<string> {
  const names = new Set<string>();

  function gather(part: JsonValue, depth: number): void {
    if (!isJsonObject(part) || depth > deepest) {
      return;
    }
    const { $ref, properties, patternProperties, dependentSchemas } = part;
    for (const named of [properties, patternProperties]) {
      Object.keys(isJsonObject(named) ? named : {}).forEach((name) => names.add(name));
    }
    const inPlace = [
      ...(typeof $ref === 'string' ? [definitionOf($ref)] : []),
      ...['allOf', 'anyOf', 'oneOf', 'then', 'else'].flatMap((keyword) => toList(part[keyword])),
      ...(isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : []),
    ];
    inPlace.forEach((inner) => gather(inner, depth + 1));
  }

  gather(schema, 0);
  return names;
}
