import { pointerTokens } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { DocumentError } from './document-error.ts';
import { recordJsonPlaces } from './record-json-places.ts';
import type { SourceText } from './source-text.ts';
import { locatePointer, type TextPlaces } from './text-places.ts';

/**
 * Reads a text as JSON, or else as YAML 1.2, without losing a digit of its numbers.
 *
 * @param isJson - whether it is called JSON, so that another text is a mistake
 * @param places - takes where everything stands
 * @throws DocumentError DOCUMENT_SYNTAX, with every problem
 */
export async function parseSource(
  input: SourceText & { readonly isJson: boolean; readonly places: TextPlaces },
): Promise<JsonValue> {
  const { file, text, isJson, places } = input;
  const source = { file, text };
  if (!isJson && !/^\s*[{[]/u.test(text)) {
    return parseAsYaml(source, places);
  }
  const parsed = parseJson(text, { findDuplicateKeys: true });
  if (parsed.kind === 'syntax') {
    if (!isJson) {
      return parseAsYaml(source, places);
    }
    const { line, column, reason } = parsed;
    const problem = { file, line, column, reason, remedy: 'Correct the JSON' };
    throw new DocumentError('DOCUMENT_SYNTAX', { source: file, problems: [problem] });
  }
  recordJsonPlaces({ source, root: parsed.value, places });
  const repeated = parsed.duplicateKeys.map((pointer) => ({
    ...(locatePointer({ places, root: parsed.value, pointer }) ?? { file, line: 1, column: 1 }),
    reason: `the key ${JSON.stringify(pointerTokens(pointer).at(-1))} stands twice in one object`,
    remedy: 'Remove one of them',
  }));
  if (repeated.length > 0) {
    throw new DocumentError('DOCUMENT_SYNTAX', { source: file, problems: repeated });
  }
  return parsed.value;
}

async function parseAsYaml(source: SourceText, places: TextPlaces): Promise<JsonValue> {
  // The YAML reader takes long to load, and a JSON document does without.
  const { parseYaml } = await import('./parse-yaml.ts');
  return parseYaml(source, places);
}
