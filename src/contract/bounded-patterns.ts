import { describePath, type DocumentWarning } from '../document/document.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { readPattern } from '../schema/pattern.ts';
import type { Contract } from './contract.ts';

/** Keywords whose values are data, and names of extensions. */
const ofData = /^(?:example|examples|default|enum|const|x-.*)$/u;

function longestOf(pattern: string): number | undefined {
  try {
    return readPattern(pattern).longest;
  } catch {
    // An invalid pattern is reported as a document problem.
    return undefined;
  }
}

/** Returns a warning for each pattern that only short texts are checked against: its matching time has no bound. */
export function listBoundedPatterns({ root, placeOf, locate, source }: Contract): readonly DocumentWarning[] {
  const found: DocumentWarning[] = [];

  function note(pattern: string, pointer: JsonPointer): void {
    const longest = longestOf(pattern);
    if (longest === undefined) return;
    found.push({
      ...(locate(placeOf(pointer)) ?? { file: source, line: 1, column: 1 }),
      reason: `${describePath(root, pointer)}: can take exponential time (look-around, back references or several high counts)`,
      remedy: 'Write it without that, or as several patterns in allOf',
      effect: `texts longer than ${longest} characters are not checked`,
      isUnclear: false,
    });
  }

  function visit(value: JsonValue, pointer: JsonPointer): void {
    if (Array.isArray(value)) {
      value.forEach((item, index) => visit(item, appendPointer(pointer, index)));
    }
    if (!isJsonObject(value)) return;
    const { pattern, patternProperties } = value;
    if (typeof pattern === 'string') note(pattern, appendPointer(pointer, 'pattern'));
    for (const name of isJsonObject(patternProperties) ? Object.keys(patternProperties) : []) {
      note(name, appendPointer(pointer, 'patternProperties', name));
    }
    for (const [name, member] of Object.entries(value)) {
      if (!ofData.test(name)) visit(member, appendPointer(pointer, name));
    }
  }

  visit(root, '');
  return found;
}
