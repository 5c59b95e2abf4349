import { idText } from '../../contract/list-pages.ts';
import { compareNumbers } from '../../json/exact-number.ts';
import {
  holdsExactNumber,
  isJsonNumber,
  isJsonObject,
  jsonEqual,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import { itemSchema, schemaAt, schemaProperties } from '../../schema/properties.ts';
import { type JsonSchema, jsonTypeOf, schemasInPlace, schemaTypes, valueKey } from '../../schema/walk.ts';

/** The difference between a written and a shown value. */
export interface Difference {
  /** The property names that lead to it. Indices of arrays are left out, as they are generated. */
  readonly path: readonly string[];
  /** `missing`, `changed`, or the change by the service: `trimmed`. */
  readonly how: string;
}

/** The schemas of a value in requests and in responses. */
export interface ValueSchemas {
  readonly written: JsonSchema | undefined;
  readonly shown: JsonSchema | undefined;
}

/** Returns the schemas of a property if both declare it, and neither as readOnly or writeOnly. */
function visibleProperty({ written, shown }: ValueSchemas, name: string): ValueSchemas | undefined {
  const [sent, received] = [schemaProperties(written).get(name), schemaProperties(shown).get(name)];
  if (sent === undefined || received === undefined) return undefined;
  if ([sent, received].some(({ readOnly, writeOnly }) => readOnly || writeOnly)) return undefined;
  return { written: schemaAt(written, [name]), shown: schemaAt(shown, [name]) };
}

/**
 * Compares a written value with the shown one, in favour of the service. It ignores undeclared, readOnly and writeOnly
 * properties, and properties that the service adds. Numbers are compared by value and date-times by instant. An empty
 * value may be missing, and a missing value may have a default.
 */
export function compareValues(
  written: JsonValue,
  shown: JsonValue | undefined,
  schemas: ValueSchemas,
): Difference | undefined {
  if (shown === undefined || shown === null) {
    return isEmpty(written) ? undefined : { path: [], how: 'missing' };
  }
  if (jsonEqual(written, shown) || written === null) return undefined;
  // If the schema of the response has another type, the value is another view.
  const types = schemaTypes(schemas.shown ?? true);
  if (types.size > 0 && !types.has(jsonTypeOf(written)) && !(isJsonNumber(written) && types.has('integer'))) {
    return undefined;
  }
  if (isJsonObject(written) && isJsonObject(shown)) return compareObjects(written, shown, schemas);
  if (Array.isArray(written) && Array.isArray(shown)) return compareArrays(written, shown, schemas);
  const how = normalisation(written, shown, schemas);
  return how === undefined ? undefined : { path: [], how };
}

function compareObjects(
  written: JsonObject,
  shown: JsonObject,
  schemas: ValueSchemas,
): Difference | undefined {
  // An object without declared properties is shown as it is stored, except for readOnly or writeOnly members.
  const isFree = schemaProperties(schemas.shown).size === 0 && schemaProperties(schemas.written).size === 0;
  for (const [name, value] of Object.entries(written)) {
    if (isFree && isOneWay(schemas, name)) continue;
    const inside = isFree ? { written: undefined, shown: undefined } : visibleProperty(schemas, name);
    const own = Object.hasOwn(shown, name) ? shown[name] : undefined;
    const found = inside && compareValues(value, own, inside);
    if (found !== undefined)
      return isFree ? { path: [], how: found.how } : { ...found, path: [name, ...found.path] };
  }
  return undefined;
}

function isOneWay({ written, shown }: ValueSchemas, name: string): boolean {
  return [...partsOf(written), ...partsOf(shown)].some(({ properties }) => {
    const declared = isJsonObject(properties) ? properties[name] : undefined;
    return isJsonObject(declared) && (declared['writeOnly'] === true || declared['readOnly'] === true);
  });
}

function compareArrays(
  written: readonly JsonValue[],
  shown: readonly JsonValue[],
  schemas: ValueSchemas,
): Difference | undefined {
  const inside = { written: itemSchema(schemas.written), shown: itemSchema(schemas.shown) };
  if (written.length !== shown.length) return { path: [], how: 'changed' };
  for (const [index, value] of written.entries()) {
    const found = compareValues(value, shown[index], inside);
    if (found === undefined) continue;
    const keys = (list: readonly JsonValue[]): string => list.map(valueKey).toSorted().join();
    // The order of a set is arbitrary.
    if (keys(written) === keys(shown)) return isSet(schemas) ? undefined : { path: [], how: 'reordered' };
    return found;
  }
  return undefined;
}

function isSet({ written, shown }: ValueSchemas): boolean {
  return [written, shown].some((schema) => partsOf(schema).some(({ uniqueItems }) => uniqueItems === true));
}

const partsOf = (schema: JsonSchema | undefined): readonly JsonObject[] =>
  schema === undefined ? [] : schemasInPlace(schema, schema);

/** Returns whether a response may omit a value. */
function isEmpty(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === '' || (isJsonObject(value) && Object.values(value).every(isEmpty));
}

/** Returns whether a schema declares the value as the default. */
export function isDefault(schema: JsonSchema | undefined, value: JsonValue): boolean {
  return partsOf(schema).some(({ default: usual }) => usual !== undefined && jsonEqual(usual, value));
}

/** Returns whether a service may treat a value as absent. */
export function isBlank(value: JsonValue): boolean {
  return (
    value === null ||
    value === '' ||
    value === false ||
    value === 0 ||
    (Array.isArray(value) && value.length === 0)
  );
}

const ofMembers = new WeakMap<JsonObject, Map<string, CompiledSchema>>();

/** Returns whether a response may have a value for a name, by the schema of the member. */
export function mayShow(
  whole: JsonSchema,
  { name, own, value }: { readonly name: string; readonly own: JsonSchema; readonly value: JsonValue },
): boolean {
  if (!isJsonObject(whole)) return true;
  const members = ofMembers.get(whole) ?? new Map<string, CompiledSchema>();
  const compiled = members.get(name) ?? compileSchema({ schema: own, pointer: '' });
  ofMembers.set(whole, members.set(name, compiled));
  // A service that asserts formats must omit a value that breaks its format.
  const problems = compiled.validator({ formats: 'assert', integers: 'by-value' })(
    value,
    holdsExactNumber(value),
  );
  return problems.length === 0;
}

/** Returns whether a value may change over time: a state or a flag. */
export function isState(schema: JsonSchema | undefined, value: JsonValue): boolean {
  return typeof value === 'boolean' || partsOf(schema).some((part) => Array.isArray(part['enum']));
}

/** Words in documents for changes that a service makes to values. */
const declaredChanges =
  /trim|white.?space|lower|upper|capital|normali[sz]|canonical|round|truncat|shorten|case.?insensitive|slug|saniti[sz]|escap|strip|clean|convert|collaps/iu;

/** Formats whose texts have several spellings (RFC 5321 §2.3.5, RFC 9562 §4, RFC 3986 §6.2.2). */
const spelledVariously =
  /^(?:idn-)?(?:email|hostname)$|^uuid$|^ur[il]$|^iri$|^ipv6$|^byte$|^duration$|^(?:date-)?time$/u;

/** Names how a service changed a value; undefined if the values are equal, or if the document describes it. */
function normalisation(written: JsonValue, shown: JsonValue, schemas: ValueSchemas): string | undefined {
  const parts = [...partsOf(schemas.written), ...partsOf(schemas.shown)];
  const formats = parts.flatMap(({ format }) => (typeof format === 'string' ? [format] : []));
  const how = nameChange(written, shown, formats);
  const isOther = how === undefined || how === 'changed' || how === 'another type';
  return isOther || !parts.some(declaresChange) ? how : undefined;
}

const declaresChange = ({ description }: JsonObject): boolean =>
  typeof description === 'string' && declaredChanges.test(description);

/** Returns whether the document describes the change of a value: trimmed, in lower case, rounded. */
export function isDeclaredChange(written: JsonValue, shown: JsonValue, schemas: ValueSchemas): boolean {
  const parts = [...partsOf(schemas.written), ...partsOf(schemas.shown)];
  const how = parts.some(declaresChange) ? nameChange(written, shown, []) : undefined;
  return how !== undefined && how !== 'changed' && how !== 'another type';
}

function nameChange(written: JsonValue, shown: JsonValue, formats: readonly string[]): string | undefined {
  if (isJsonNumber(written) && isJsonNumber(shown)) {
    const [one, other] = [Number(String(written)), Number(String(shown))];
    if (formats.includes('float') && Math.fround(one) === Math.fround(other)) return undefined;
    if (one === other && !Number.isInteger(one)) return undefined;
    const isRounded = Math.abs(one - other) <= 0.5 && compareNumbers(written, Math.trunc(one)) !== 0;
    return isRounded ? 'rounded' : 'changed';
  }
  if (typeof written !== 'string' || typeof shown !== 'string') {
    return jsonTypeOf(written) !== jsonTypeOf(shown) && idText(written) === idText(shown)
      ? 'another type'
      : 'changed';
  }
  if (
    formats.some((format) => /^date(?:-time)?$/u.test(format)) ||
    /^\d{4}-\d\d-\d\dT\d\d:\d\d/u.test(written)
  ) {
    const [one, other] = [Date.parse(written), Date.parse(shown)];
    // Databases store times to the second or to the millisecond.
    if (Math.abs(one - other) < 1000) return undefined;
  }
  const isSpelledVariously = formats.some((format) => spelledVariously.test(format));
  const change = changes.find(([, change]) => change(written) === change(shown))?.[0];
  if (change !== undefined) return isSpelledVariously ? undefined : change;
  return shown !== '' && written.startsWith(shown) ? 'cut off' : 'changed';
}

/** Changes of texts, from the smallest on. */
const changes: readonly (readonly [how: string, change: (text: string) => string])[] = [
  ['trimmed', (text) => text.trim()],
  ['in another case', (text) => text.toLowerCase()],
  ['in another Unicode form', (text) => text.normalize('NFKC')],
  ['trimmed and in another case', (text) => text.trim().toLowerCase()],
  ['with other white space', (text) => text.replaceAll(/\s+/gu, ' ').trim()],
  ['without its control characters', (text) => text.replaceAll(/\p{Cc}+/gu, '')],
];
