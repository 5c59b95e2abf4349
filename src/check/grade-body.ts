import { ExactNumber } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { schemaProperties } from '../contract/schema-properties.ts';
import { schemaTypes } from '../contract/schema-types.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { namedProperties } from './named-properties.ts';
import { undeclaredProperty } from './undeclared-property.ts';
import { unusualSpelling } from './unusual-spelling.ts';
import type { BodyGrade, Oddity } from './request-reading.ts';

const largestPlainNumber = 2 ** 31 - 1;
const largestPlainText = 100;
const mostPlainItems = 3;

/** Keywords under which the document itself says which texts are usual. */
const textKeywords = ['enum', 'const', 'format', 'pattern', 'minLength', 'maxLength'];

/** What may be odd about a text. */
const textForms: readonly (readonly [words: string, form: RegExp])[] = [
  ['an empty text', /^$/u],
  ['a long text', /^.{101}/su],
  ['NUL', /\0/u],
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  ['control characters', /[\u0001-\u001f\u007f]/u],
  ['characters past ASCII', /[^\0-\x7f]/u],
  ['white space around a text', /^\s|\s$/u],
  ['a text like a number', /^[+-]?[\d.]+(?:e[+-]?\d+)?$/iu],
];

/** What few would look at when something goes wrong, as nearly every body that is made smaller has it. */
const least = 'an unusual text';

/** Whether a text holds marks, such as quotes, besides what else is odd about it. */
function hasMarks(text: string): boolean {
  return /[!-/:-@[-`{-~]/u.test(text) && !/^[+-]?[\d.]+(?:e[+-]?\d+)?$/iu.test(text);
}

function textOddities(text: string, schema: JsonSchema): readonly string[] {
  if (/^[A-Za-z]{3,20}$/u.test(text)) {
    return [];
  }
  const described = isJsonObject(schema) && textKeywords.some((keyword) => Object.hasOwn(schema, keyword));
  if (described && text.length <= largestPlainText && /^[\x20-\x7e]*$/u.test(text)) {
    return [];
  }
  const words = textForms.filter(([, form]) => form.test(text)).map(([name]) => name);
  return words.length === 0 || hasMarks(text) ? [...words, least] : words;
}

function numberOddity(number: number | ExactNumber, schema: JsonSchema): string | undefined {
  const bounded = isJsonObject(schema) && (Object.hasOwn(schema, 'minimum') || Object.hasOwn(schema, 'enum'));
  const value = typeof number === 'number' ? number : Number(number.text);
  if (Math.abs(value) >= 2 ** 53) {
    return 'a number past 2^53';
  }
  if (Math.abs(value) > largestPlainNumber) {
    return 'a number past 2^31';
  }
  if (typeof number !== 'number') {
    return 'a number with a fraction or an exponent';
  }
  return number >= 1 || bounded ? undefined : number === 0 ? 'zero' : 'a number below one';
}

function collectOddities(value: JsonValue, schema: JsonSchema, place: JsonPointer, found: Oddity[]): void {
  const note = (words: string | undefined): void => {
    found.push(...(words === undefined ? [] : [{ place, words }]));
  };
  if (value === null) {
    const types = schemaTypes(schema);
    note(types.has('null') && types.size === 1 ? undefined : 'null');
  } else if (typeof value === 'string') {
    textOddities(value, schema).forEach(note);
  } else if (typeof value === 'number' || value instanceof ExactNumber) {
    note(numberOddity(value, schema));
  } else if (Array.isArray(value)) {
    const items = isJsonObject(schema) && isJsonObject(schema['items']) ? schema['items'] : true;
    note(value.length > mostPlainItems ? 'a long list' : value.length === 0 ? 'an empty list' : undefined);
    value.forEach((item, index) => collectOddities(item, items, appendPointer(place, index), found));
  } else if (isJsonObject(value)) {
    const properties = schemaProperties(schema);
    const named = namedProperties(schema);
    for (const [name, member] of Object.entries(value)) {
      const property = properties.get(name);
      const inner = appendPointer(place, name);
      if (!named.has(name) && named.size > 0) {
        found.push({ place: inner, words: undeclaredProperty });
      } else {
        collectOddities(member, property?.schema ?? true, inner, found);
      }
    }
  }
}

/**
 * Says how usual a schema-valid body is that nobody disagrees about: what anybody would send, or what few
 * would.
 *
 * @param input.spelledPlainly - whether the text is what a usual writer of JSON would have written
 */
export function gradeBody(input: {
  readonly value: JsonValue;
  readonly schema: JsonSchema;
  readonly spelledPlainly: boolean;
}): BodyGrade {
  const oddities: Oddity[] = input.spelledPlainly ? [] : [{ place: '', words: unusualSpelling }];
  collectOddities(input.value, input.schema, '', oddities);
  const [first, ...others] = oddities.toSorted(
    (left, right) => Number(left.words === least) - Number(right.words === least),
  );
  return first === undefined ? { kind: 'plain' } : { kind: 'extreme', oddities: [first, ...others] };
}
