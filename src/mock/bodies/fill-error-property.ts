import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { ErrorFacts } from './error-facts.ts';
import { fitLength } from './sample-text.ts';

const statusName = /^(?:http_?)?status(?:_?code)?$/iu;
const codeName = /^(?:error|error_?code|code|number|errno|error_?number)$/iu;
const messageName =
  /^(?:message|msg|detail|details|description|error_?description|reason|error_?message|text|error)$/iu;
const titleName = /^(?:title|summary)$/iu;
const kindName = /^(?:code|error_?code|kind|type|name)$/iu;

function hasType(schema: JsonObject, type: string): boolean {
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  return types.includes(type);
}

function fitsPattern(text: string, { pattern }: JsonObject): boolean {
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text);
}

function fillText(name: string, schema: JsonObject, facts: ErrorFacts): string | undefined {
  if ('format' in schema) {
    return undefined;
  }
  if (messageName.test(name)) {
    return fitLength(facts.message, schema);
  }
  if (titleName.test(name)) {
    return fitLength(facts.condition.replaceAll('-', ' '), schema);
  }
  if (statusName.test(name)) {
    return String(facts.status);
  }
  return kindName.test(name) ? fitLength(facts.condition, schema) : undefined;
}

/**
 * Fills a property of an error body by its role: a number called status takes the HTTP status, one called
 * code or error the number of the error; a text called message, detail or the like takes the sentence, one
 * called title or code the condition.
 *
 * @param schema - that of the property, merged
 * @returns undefined where the property has no such role
 */
export function fillErrorProperty(
  name: string,
  schema: JsonObject,
  facts: ErrorFacts,
): JsonValue | undefined {
  if ('const' in schema || 'enum' in schema) {
    return undefined;
  }
  if (hasType(schema, 'integer') || hasType(schema, 'number')) {
    if (statusName.test(name)) {
      return facts.status;
    }
    return codeName.test(name) ? facts.code : undefined;
  }
  const text = hasType(schema, 'string') ? fillText(name, schema, facts) : undefined;
  return text !== undefined && fitsPattern(text, schema) ? text : undefined;
}
