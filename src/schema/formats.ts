import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** Whether the engine compiles a text with the flag `u` (JSON Schema 2020-12 core §6.4); ajv-formats compiles it without. */
function isRegex(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** The formats that text is checked against (JSON Schema 2020-12 validation §7.3), by name. */
export const formats: ReadonlyMap<string, Format> = new Map(
  Object.entries({ ...fullFormats, regex: isRegex }),
);
