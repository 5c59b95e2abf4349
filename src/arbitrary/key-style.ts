import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from '../contract/contract.ts';
import { findStructured } from '../http/codecs/registry.ts';
import type { JsonObject } from '../json/value.ts';
import { schemaAt } from '../schema/properties.ts';
import { type JsonSchema, schemasInPlace, schemaTypes } from '../schema/walk.ts';
import { fitsText } from '../schema/value/text.ts';
import { hasPlainText, plainString } from './plain-text.ts';
import type { IdSpelling } from './request-case.ts';

/** An example id of each text style. */
export const plainIds = {
  text: 'keyabcdef',
  uuid: '00000000-0000-4000-8000-000040000007',
  digits: '1073741831',
};

/** Spells an id that is a text, `keyabcdef`, in an unusual way. */
export function spellId(plain: string, spelling: IdSpelling): string {
  const [start, rest] = [plain.slice(0, 3), plain.slice(3)];
  switch (spelling) {
    case 'capital':
      return `K${plain.slice(1)}`;
    // A plus is a space in a query, and not in a path (RFC 3986 §3.3).
    case 'spaced':
      return `${start}+ ${rest}`;
    case 'slashed':
      return `${start}/${rest}`;
    // A path that is decoded twice has another letter (RFC 3986 §2.4).
    case 'dotted':
      return `.${start}%41${rest}`;
    case 'accented':
      return `${start}é日${rest}`;
  }
}

/** The notation of the ids of a property; a function returns the text of a number. */
export type KeyStyle = 'number' | 'text' | 'uuid' | 'digits' | ((number: number) => string);

/**
 * Returns a notation of ids that the schema of a property accepts; `digits` is a number in a text. If the schema
 * accepts neither letters nor digits, a function draws texts. Different numbers mostly give different texts.
 */
export function propertyStyle(schema: JsonSchema | undefined, property: string): KeyStyle {
  const declared = schemaAt(schema, [property]) ?? true;
  const types = schemaTypes(declared);
  if (types.has('integer') || types.has('number') || types.size === 0) return 'number';
  const parts = schemasInPlace(declared, declared);
  if (parts.some(({ format }) => format === 'uuid')) return 'uuid';
  const accepts = (...texts: readonly string[]): boolean =>
    texts.every((text) =>
      parts.every(
        (part) => fitsText(text, part) && (!Array.isArray(part['enum']) || part['enum'].includes(text)),
      ),
    );
  const isPlain = !parts.some(({ format }) => typeof format === 'string' && hasPlainText(format));
  // A number has at most ten letters.
  if (isPlain && accepts(plainIds.text, `${plainIds.text}g`)) return 'text';
  if (isPlain && accepts('1', String(2 ** 31 - 1))) return 'digits';
  const [listed = []] = parts.flatMap(({ enum: list }) =>
    Array.isArray(list) ? [list.filter((each) => typeof each === 'string')] : [],
  );
  if (listed.length > 0) return (number) => listed[number % listed.length] ?? plainIds.text;
  const [first] = parts;
  const known = first && drawnStyles.get(first);
  if (first === undefined || known !== undefined) return known ?? 'text';
  const texts = plainString(parts);
  if (texts === undefined) return 'text';
  const style = drawDistinct(fc.noBias(texts));
  drawnStyles.set(first, style);
  return style;
}

/** Returns whether an operation creates items with ids from a list in the document, which may already exist. */
export function hasListedIds({ kind, items, parameters, requestBody }: Operation): boolean {
  const own = items.at(-1)?.parameter;
  const inPath = parameters.find(({ in: place, name }) => place === 'path' && name === own)?.schema?.schema;
  const body = findStructured(requestBody?.media)?.schema?.schema;
  const isInBody = kind.kind === 'create' && kind.key.kind === 'client';
  const inBody = isInBody ? schemaAt(body, [...kind.request, kind.key.property]) : undefined;
  const schema = kind.kind === 'replace' ? inPath : inBody;
  return (
    schema !== undefined && schemasInPlace(schema, schema).some((part) => 'enum' in part || 'const' in part)
  );
}

/** By the schema of the id: all requests of a run share one sequence. */
const drawnStyles = new WeakMap<JsonObject, KeyStyle>();

/** The maximum number of redraws if another number has the same text, as with a pattern that matches few texts. */
const mostDraws = 50;

/** Draws a text for each number, always the same one, and distinct ones while there are any. */
function drawDistinct(texts: Arbitrary<string>): (number: number) => string {
  const drawn = new Map<number, string>();
  const used = new Set<string>();
  return (number) => {
    const known = drawn.get(number);
    if (known !== undefined) return known;
    let text = plainIds.text;
    for (let tries = 0; tries === 0 || (used.has(text) && tries < mostDraws); tries += 1) {
      [text = text] = fc.sample(texts, { seed: number + tries * 0x1_0000, numRuns: 1 });
    }
    used.add(text);
    drawn.set(number, text);
    return text;
  };
}
