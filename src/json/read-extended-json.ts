import { evaluate, parse } from '@humanwhocodes/momoa';
import type { JsonValue } from './json-value.ts';
import { parseJson } from './parse-json.ts';

/** A value that stands in a text under an extension of JSON, and which extension that is. */
export interface ExtendedJson {
  readonly value: JsonValue;
  readonly extension: string;
}

/** Where the first value of a text ends: its brackets are closed, or its string, or its word. */
function findFirstEnd(text: string): number {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      index += character === '\\' ? 1 : 0;
      inString = character !== '"';
    } else if (character === '"') {
      inString = true;
    } else if (character === '{' || character === '[') {
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
    }
    const isInside = inString || depth > 0 || /[\s\w.+-]/u.test(character ?? '');
    if (!isInside) {
      return index + 1;
    }
  }
  return text.length;
}

function readFirstValue(text: string): ExtendedJson | undefined {
  const first = /^\s*[\w.+-]+/u.exec(text)?.[0].length ?? findFirstEnd(text);
  const parsed = parseJson(text.slice(0, first));
  return parsed.kind === 'json' ? { value: parsed.value, extension: 'text after the value' } : undefined;
}

/**
 * Reads a text that is no JSON as a lenient parser might (RFC 8259 §9 allows extensions): comments,
 * trailing commas, single quotes, bare keys, NaN, raw control characters, text after the value.
 *
 * @param text - a text that parseJson refuses
 * @returns undefined where none of these makes a value of it
 */
export function readExtendedJson(text: string): ExtendedJson | undefined {
  // momoa 3.3 never comes back from a JSON5 string whose last character is a backslash, and no form of JSON
  // ends in one.
  if (text.endsWith('\\')) {
    return readFirstValue(text);
  }
  for (const mode of ['json', 'jsonc', 'json5'] as const) {
    try {
      const tree = parse(text, { mode, allowTrailingCommas: mode !== 'json' });
      // `as`: the tree of a JSON text evaluates to JSON values; NaN and Infinity are numbers too.
      const value = evaluate(tree) as JsonValue;
      const extension = {
        json: 'raw control characters',
        jsonc: 'comments or trailing commas',
        json5: 'JSON5',
      }[mode];
      return { value, extension };
    } catch {
      continue;
    }
  }
  return readFirstValue(text);
}
