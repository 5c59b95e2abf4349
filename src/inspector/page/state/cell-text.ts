import type { JsonValue } from '../../../json/json-value.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';

/** What a cell shows of a value: a text without its quotes, anything else as JSON, nothing for what is not there. */
export function cellText(value: JsonValue | undefined): string {
  if (value === undefined) {
    return '';
  }
  return typeof value === 'string' ? value : stringifyJson(value);
}
