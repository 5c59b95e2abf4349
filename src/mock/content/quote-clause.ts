import { resolvePointer } from '../../document/resolve-pointer.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { pointerTokens } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';

/** A clause that is longer is cut: an enum may have any number of values. */
const longestClause = 120;

/** As YAML writes it in one line, where quotes are only needed round what is no plain word. */
function toFlow(value: JsonValue): string {
  if (typeof value === 'string') {
    return /^(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z_$][\w$-]*$/iu.test(value)
      ? value
      : JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => toFlow(item)).join(', ')}]`;
  }
  return isJsonObject(value) ? '{…}' : stringifyJson(value);
}

/**
 * What stands at a place of a JSON document, with its name, in one line: `required: [id, name]`, `maxLength: 120`.
 *
 * @returns the name alone where nothing stands there
 */
export function quoteClause(root: JsonValue, pointer: string): string {
  const name = pointerTokens(pointer).at(-1) ?? '';
  const value = resolvePointer(root, pointer);
  const text = value === undefined ? name : `${name}: ${toFlow(value)}`;
  return text.length > longestClause ? `${text.slice(0, longestClause - 1)}…` : text;
}
