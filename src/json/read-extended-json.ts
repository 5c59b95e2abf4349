import { evaluate, parse } from '@humanwhocodes/momoa';
import type { JsonValue } from './json-value.ts';
import { parseJson } from './parse-json.ts';

/** A value that stands in a text under an extension of JSON, and which extension that is. */
export interface ExtendedJson {
  readonly value: JsonValue;
  readonly extension: string;
}

function readFirstValue(text: string): ExtendedJson | undefined {
  const end = [...text.matchAll(/[}\]"\d\w]/gu)].map((match) => match.index + 1).slice(0, 2_000);
  for (const index of end) {
    const parsed = parseJson(text.slice(0, index));
    if (parsed.kind === 'json' && text.slice(index).trim() !== '') {
      return { value: parsed.value, extension: 'text after the value' };
    }
  }
  return undefined;
}

/**
 * Reads a text that is no JSON as a lenient parser might (RFC 8259 §9 allows extensions): comments,
 * trailing commas, single quotes, bare keys, NaN, raw control characters, text after the value.
 *
 * @param text - a text that parseJson refuses
 * @returns undefined where none of these makes a value of it
 */
export function readExtendedJson(text: string): ExtendedJson | undefined {
  for (const mode of ['json', 'jsonc', 'json5'] as const) {
    try {
      const tree = parse(text, { mode, allowTrailingCommas: mode !== 'json' });
      // `as`: the tree of a JSON text evaluates to JSON values; NaN and Infinity are numbers too.
      const value = evaluate(tree) as JsonValue;
      const extension = { json: 'raw control characters', jsonc: 'comments or trailing commas', json5: 'JSON5' }[mode];
      return { value, extension };
    } catch {
      continue;
    }
  }
  return readFirstValue(text);
}
