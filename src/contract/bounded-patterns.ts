import { describePath, type DocumentWarning } from '../document/document.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { readPattern } from '../schema/pattern.ts';
import type { Contract } from './contract.ts';

/** What stands under these is data, or an extension. */
const ofData = /^(?:example|examples|default|enum|const|x-.*)$/u;

function longestOf(pattern: string): number | undefined {
  try {
    return readPattern(pattern).longest;
  } catch {
    // One that is none is a slip of the document, and said to be one.
    return undefined;
  }
}

/** The patterns of a document that are judged on short texts alone, as no engine takes long ones in bounded time. */
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
