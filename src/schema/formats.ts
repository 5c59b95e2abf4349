import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** Returns whether a text is a regular expression with flag `u` (JSON Schema 2020-12 core §6.4), unlike ajv-formats. */
function isRegex(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** The formats of strings (JSON Schema 2020-12 validation §7.3), by name. */
export const formats: ReadonlyMap<string, Format> = new Map(
  Object.entries({ ...fullFormats, regex: isRegex }),
);

/** A format of strings that a user defines. */
export interface TextFormat {
  /** Returns whether a text has the format. */
  readonly test: (text: string) => boolean;
  /** Valid texts for generated requests. */
  readonly examples: readonly [string, ...string[]];
}

const registered = new Map<string, TextFormat>();

/** The formats that users registered, by name. */
export const userFormats: ReadonlyMap<string, TextFormat> = registered;

/**
 * Registers a format for the whole process. Schemas that were compiled before do not know it.
 *
 * @returns whether it is registered: false if another format has the name
 */
export function registerFormat(name: string, format: TextFormat): boolean {
  const known = registered.get(name);
  if (formats.has(name) || (known !== undefined && known.test !== format.test)) return false;
  registered.set(name, format);
  return true;
}
