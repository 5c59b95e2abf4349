import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';

/** What a reader of YAML, an old one too, takes for anything but a text (YAML 1.1 §10.2, bool). */
const words = /^(?:y|n|yes|no|on|off|true|false|null)$/iu;

function renderText(text: string): string {
  return /^[A-Za-z][\w-]*$/u.test(text) && !words.test(text) ? text : JSON.stringify(text);
}

/**
 * A JSON value in the flow style of YAML (YAML 1.2 §7.4), on one line.
 *
 * @returns `{ status: 403, body: empty }`
 */
export function renderYamlFlow(value: JsonValue): string {
  if (typeof value === 'string') {
    return renderText(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => renderYamlFlow(item)).join(', ')}]`;
  }
  if (!isJsonObject(value)) {
    return stringifyJson(value);
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${renderText(name)}: ${renderYamlFlow(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
