import fc, { type Arbitrary } from 'fast-check';
import { holdsExactNumber, isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../json/value.ts';
import type { CompiledSchema } from '../schema/compile.ts';
import { type KnownPlace, unknownPlace } from '../schema/known-place.ts';
import { acceptedValues, partOf, withKnownValues } from '../schema/known-values.ts';
import { fitsPattern, meetsUncheckedPattern } from '../schema/pattern.ts';
import { type JsonSchema, schemaConjuncts, valueKey } from '../schema/walk.ts';
import { withoutOptional } from './without-optional.ts';
import { plainNumber } from './plain-number.ts';
import { limit, plainString } from './plain-text.ts';
import { hasUserArbitraries, userArbitrary, userArbitraryAt } from './user-arbitraries.ts';

/**
 * Valid to every reader, invalid to every reader, or valid only to some: to readers that ignore `format`, or to services
 * that accept other values than the known ones.
 */
export type ValueVerdict = 'valid' | 'ambiguous' | 'invalid';

/** Validates a value as the strictest and as the most lenient reader; without a schema every value is valid. */
export function judgeValue(schema: CompiledSchema | undefined, value: JsonValue): ValueVerdict {
  const strict = judgeStrictly(schema, value);
  if (strict === 'valid' && withKnownValues(schema, value) !== value) return 'ambiguous';
  if (schema === undefined || strict !== 'invalid') return strict;
  const accepts = schema.validator({ formats: 'ignore', integers: 'by-value' }).accepts;
  return accepts(value, holdsExactNumber(value)) ? 'ambiguous' : 'invalid';
}

/** Validates as the strictest reader; `ambiguous` if the value contains a text that a pattern cannot decide. */
function judgeStrictly(schema: CompiledSchema | undefined, value: JsonValue): ValueVerdict {
  if (schema === undefined) return 'valid';
  let isValid = false;
  const isUnsure = meetsUncheckedPattern(() => {
    const { accepts } = schema.validator({ formats: 'assert', integers: 'by-value' });
    isValid = accepts(value, holdsExactNumber(value));
  });
  if (!isValid) return 'invalid';
  return isUnsure ? 'ambiguous' : 'valid';
}

/** The optional properties to generate. */
type OptionalProperties = 'none' | 'all' | 'any';

/** Optional properties are left out below this depth, or below a smaller one if a value would contain too much. */
const shallow = 3;
/** Nothing is generated below this depth. */
const deepest = 8;
/** The maximum number of values in a body with all properties, and in one with only the required ones. */
const mostValues = { full: 500, least: 20_000 };

interface Place {
  readonly root: JsonSchema;
  readonly optional: OptionalProperties;
  /** Set to use examples for texts, numbers and booleans; records the first use. Undefined generates all values. */
  readonly examples: { isMet: boolean } | undefined;
  /** The name of the property. */
  readonly name?: string | undefined;
  /** Records the use of an arbitrary of a user. */
  readonly user: { isMet: boolean };
  readonly shallow: number;
  readonly depth: number;
  readonly known: KnownPlace;
  /** Generated arbitraries by depth and schemas: a schema with two references to itself would need 2^depth. */
  readonly made: Map<string, Arbitrary<JsonValue> | undefined>;
  readonly names: Map<JsonObject, number>;
  /** Schemas without the choice that was made between their alternatives. */
  readonly chosen: Map<JsonObject, JsonObject>;
}

type Conjuncts = readonly JsonObject[];

/** The fallback schema for undescribed values. */
const text: JsonObject = { type: 'string' };
const nothing: JsonObject = { enum: [] };

const keywordTypes: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  [
    'object',
    ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties'],
  ],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'minLength', 'maxLength', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

function plainType(conjuncts: Conjuncts): string | undefined {
  const declared = conjuncts
    .map(({ type }) => (Array.isArray(type) ? type : [type]))
    .filter((types) => types.some((type) => typeof type === 'string'));
  if (declared.length === 0) {
    const [type] = keywordTypes.find(([, keywords]) =>
      conjuncts.some((schema) => keywords.some((keyword) => Object.hasOwn(schema, keyword))),
    ) ?? ['object'];
    return type;
  }
  const isInteger = declared.some((types) => types.includes('integer') && !types.includes('number'));
  const allowed = (type: string): boolean =>
    declared.every((types) => types.includes(type) || (type === 'integer' && types.includes('number')));
  const types = ['object', 'array', 'string', ...(isInteger ? [] : ['number']), 'integer', 'boolean', 'null'];
  return types.find(allowed);
}

function plainChoice(conjuncts: Conjuncts, place: Place): Arbitrary<JsonValue> | undefined {
  const keyword = conjuncts.some((schema) => Array.isArray(schema['oneOf'])) ? 'oneOf' : 'anyOf';
  const holder = conjuncts.find((schema) => Array.isArray(schema[keyword]));
  const alternatives = holder?.[keyword];
  if (holder === undefined || !Array.isArray(alternatives)) return undefined;
  const { [keyword]: _alternatives, ...others } = holder;
  const without = place.chosen.get(holder) ?? others;
  place.chosen.set(holder, without);
  const rest = conjuncts.map((schema) => (schema === holder ? without : schema));
  const isNull = (schema: JsonValue): boolean => isJsonObject(schema) && schema['type'] === 'null';
  const branchesOf = (wanted: readonly JsonValue[]): readonly Arbitrary<JsonValue>[] =>
    wanted.flatMap((alternative) => {
      const chosen = schemaConjuncts(place.root, alternative);
      const made = chosen && plainOf([...rest, ...chosen], { ...place, depth: place.depth + 1 });
      return made === undefined ? [] : [made];
    });
  const nulls = alternatives.filter(isNull);
  // Null ends a recursion.
  const isDeep = place.depth > shallow && nulls.length > 0;
  const made = isDeep ? [] : branchesOf(alternatives.filter((schema) => !isNull(schema)));
  const branches = made.length > 0 ? made : branchesOf(nulls);
  return branches.length === 0
    ? undefined
    : weigh(fc.oneof(...branches), Math.max(...branches.map(weightOf)));
}

function plainObject(conjuncts: Conjuncts, place: Place): Arbitrary<JsonValue> | undefined {
  const required = new Set(conjuncts.flatMap(({ required: names }) => (Array.isArray(names) ? names : [])));
  const declared = new Map<string, Set<JsonObject>>();
  const impossible = new Set<JsonValue>();
  for (const { properties } of conjuncts) {
    for (const [name, schema] of isJsonObject(properties) ? Object.entries(properties) : []) {
      const parts = schemaConjuncts(place.root, schema);
      declared.set(name, new Set([...(declared.get(name) ?? []), ...(parts ?? [])]));
      if (parts === undefined) {
        impossible.add(name);
      }
    }
  }
  for (const name of [...required, ...furtherNames(conjuncts, place, [...declared.keys(), ...required])]) {
    if (typeof name !== 'string' || declared.has(name)) continue;
    const parts = partsOfName(conjuncts, place, name);
    if (parts === undefined) return undefined;
    required.add(name);
    declared.set(name, new Set(parts.length === 0 ? [text] : parts));
  }
  const wanted = place.depth > place.shallow ? 'none' : place.optional;
  const members: Record<string, Arbitrary<JsonValue>> = {};
  for (const [name, parts] of declared) {
    const isLeftOut = wanted === 'none' || [...parts].some(({ readOnly }) => readOnly === true);
    if (!required.has(name) && (isLeftOut || impossible.has(name))) continue;
    const made = plainOf([...parts], {
      ...place,
      depth: place.depth + 1,
      name,
      known: place.known.below(name),
    });
    if (made !== undefined) {
      Object.defineProperty(members, name, { value: made, enumerable: true });
    } else if (required.has(name)) {
      return undefined;
    }
  }
  const always = Object.keys(members).filter((name) => wanted !== 'any' || required.has(name));
  // `as`: every member generates JSON values.
  const whole = fc.record(members, { requiredKeys: always, noNullPrototype: true }) as Arbitrary<JsonObject>;
  return weigh(
    whole,
    Object.values(members).reduce((sum, member) => sum + weightOf(member), 1),
  );
}

/** Returns the schemas of an undeclared member (JSON Schema 2020-12 §10.3.2); undefined if it cannot exist. */
function partsOfName(conjuncts: Conjuncts, { root }: Place, name: string): readonly JsonObject[] | undefined {
  const parts: JsonObject[] = [];
  for (const { patternProperties, additionalProperties = true, unevaluatedProperties = true } of conjuncts) {
    const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
    const matching = patterns.filter(([pattern]) => fitsPattern(name, pattern)).map(([, schema]) => schema);
    const further = [additionalProperties, unevaluatedProperties];
    for (const schema of matching.length > 0 ? matching : further) {
      const own = schemaConjuncts(root, schema);
      if (own === undefined) return undefined;
      parts.push(...own);
    }
  }
  return parts;
}

/** Returns names of further members, besides declared and required ones, to reach `minProperties`. */
function furtherNames(conjuncts: Conjuncts, place: Place, known: readonly JsonValue[]): readonly string[] {
  const missing = Math.min(limit(conjuncts, 'minProperties', Math.max), mostFurther) - new Set(known).size;
  if (!(missing > 0)) return [];
  const patterns = conjuncts.flatMap(({ patternProperties }) =>
    isJsonObject(patternProperties) ? Object.keys(patternProperties) : [],
  );
  const named = conjuncts.flatMap(({ propertyNames }) =>
    propertyNames === undefined ? [] : (schemaConjuncts(place.root, propertyNames) ?? [nothing]),
  );
  const isOpen = (name: string): boolean => partsOfName(conjuncts, place, name) !== undefined;
  const plain = Array.from({ length: missing }, (_, index) => `key${index + 1}`);
  const drawn = [
    ...patterns.map((pattern) => [...named, { pattern }]),
    ...(named.length === 0 ? [] : [named]),
  ];
  const texts = drawn.flatMap((parts) => {
    const made = makeOf([{ type: 'string' }, ...parts], { ...place, known: unknownPlace });
    return made === undefined ? [] : fc.sample(made, { seed: sampleSeed, numRuns: missing * 4 });
  });
  const names = [...(named.length === 0 ? plain : []), ...texts.filter((each) => typeof each === 'string')];
  return [...new Set(names)].filter((name) => !known.includes(name) && isOpen(name)).slice(0, missing);
}

/** The maximum of further members: a schema may require a billion. */
const mostFurther = 1000;

function plainArray(conjuncts: Conjuncts, place: Place): Arbitrary<JsonValue> | undefined {
  // Each generated item matches `contains`. Therefore `maxContains` also limits the list.
  const contained = conjuncts.filter(
    ({ contains, minContains }) => contains !== undefined && minContains !== 0,
  );
  const fewest = contained.length === 0 ? 0 : Math.max(1, limit(contained, 'minContains', Math.max));
  const least = Math.max(fewest, limit(conjuncts, 'minItems', Math.max));
  const most = Math.min(limit(conjuncts, 'maxItems', Math.min), limit(contained, 'maxContains', Math.min));
  const inside = { ...place, depth: place.depth + 1, name: undefined, known: place.known.below('*') };
  const schemas = [
    ...conjuncts.map(({ items }) => items),
    ...contained.map(({ contains }) => contains),
  ].filter((schema) => schema !== undefined);
  const parts = schemas.map((items) => schemaConjuncts(place.root, items));
  const item = parts.includes(undefined)
    ? undefined
    : plainOf(parts.length === 0 ? [text] : parts.flatMap((part) => part ?? []), inside);
  const prefixes = conjuncts.map(({ prefixItems }) => prefixItems).find((prefix) => Array.isArray(prefix));
  if (Array.isArray(prefixes)) {
    const first = prefixes.map((schema) => plainOf(schemaConjuncts(place.root, schema) ?? [nothing], inside));
    const made = first.filter((member) => member !== undefined);
    const weight = made.reduce((sum, member) => sum + weightOf(member), 1);
    return made.length < first.length ? undefined : weigh(fc.tuple(...made), weight);
  }
  const bounds = {
    minLength: Math.min(Math.max(1, least), most),
    maxLength: Math.min(Math.max(3, least), most),
  };
  if (item === undefined || most === 0) return least === 0 ? fc.constant([]) : undefined;
  const weight = 1 + bounds.maxLength * weightOf(item);
  if (weight > mostValues.least) return least === 0 ? fc.constant([]) : undefined;
  if (conjuncts.some(({ uniqueItems }) => uniqueItems === true)) {
    const distinct = fc
      .array(item, bounds)
      .map((items) => [...new Map(items.map((one) => [valueKey(one), one])).values()]);
    return weigh(distinct, weight);
  }
  if (least <= mostDrawn) return weigh(fc.array(item, bounds), weight);
  const repeated = fc
    .array(item, { minLength: 1, maxLength: mostDrawn })
    .map((items) => Array.from({ length: least }, (_, index) => items[index % items.length] ?? null));
  return weigh(repeated, weight);
}

/** The number of list items that are drawn individually; a longer list repeats them. */
const mostDrawn = 30;

/** The maximum number of values that an arbitrary generates, nested ones included; 1 if unknown. */
const weights = new WeakMap<object, number>();
const weightOf = (made: object): number => weights.get(made) ?? 1;

function weigh<Made extends object>(made: Made, weight: number): Made {
  weights.set(made, weight);
  return made;
}

function plainOf(conjuncts: Conjuncts, place: Place): Arbitrary<JsonValue> | undefined {
  if (place.depth > deepest) return undefined;
  const { made, names } = place;
  const numbers = conjuncts.map((schema) => {
    const number = names.get(schema) ?? names.size;
    names.set(schema, number);
    return number;
  });
  const name = `${place.depth}: ${numbers.join(' ')} ${place.name ?? ''}|${place.known.key}`;
  if (!made.has(name)) {
    made.set(name, makeOf(conjuncts, place));
  }
  return made.get(name);
}

/** Generates the known values of a place that the schemas accept; the first one in samples. */
function knownOf(conjuncts: Conjuncts, { root, known, examples }: Place): Arbitrary<JsonValue> | undefined {
  if (known.values.length === 0) return undefined;
  const schema = partOf(root, { allOf: conjuncts.map(({ $defs: _definitions, ...part }) => part) });
  const [first, ...others] = acceptedValues(known.values, schema);
  if (first === undefined) return undefined;
  return examples === undefined ? fc.constantFrom(first, ...others) : fc.constant(first);
}

function makeOf(conjuncts: Conjuncts, place: Place): Arbitrary<JsonValue> | undefined {
  const given = knownOf(conjuncts, place);
  if (given !== undefined) return given;
  const ofUser = userArbitraryAt(conjuncts, place);
  if (ofUser !== undefined) {
    place.user.isMet = true;
    return ofUser;
  }
  const lists = conjuncts.flatMap((schema) => {
    const constant = Object.hasOwn(schema, 'const') ? schema['const'] : undefined;
    const list = constant === undefined ? schema['enum'] : [constant];
    return Array.isArray(list) ? [list] : [];
  });
  const [list] = lists;
  const shown = place.examples === undefined ? [] : conjuncts.flatMap(({ examples }) => examples ?? []);
  const scalar = shown.find((value) => typeof value !== 'object' && isPlainExample(conjuncts, value));
  if (scalar !== undefined && place.examples !== undefined) {
    place.examples.isMet = true;
    return fc.constant(scalar);
  }
  if (list !== undefined) {
    const common = list.filter((value) =>
      lists.every((other) => other.some((item) => jsonEqual(item, value))),
    );
    const wanted = common.length > 1 ? common.filter((value) => value !== null) : common;
    return wanted.length === 0 ? undefined : fc.constantFrom(...wanted);
  }
  if (conjuncts.some((schema) => Array.isArray(schema['oneOf']) || Array.isArray(schema['anyOf']))) {
    return plainChoice(conjuncts, place);
  }
  // Like above: `type: [object, null]` of a required property that refers to the object that contains it.
  const isNullable = conjuncts.every(({ type }) => type === undefined || [type].flat().includes('null'));
  const isTyped = conjuncts.some(({ type }) => type !== undefined);
  if (place.depth > shallow && isNullable && isTyped) return fc.constant(null);
  return makers.get(plainType(conjuncts))?.(conjuncts, place);
}

/** Returns whether an example has a type that the schemas allow; the validator checks the rest. */
function isPlainExample(conjuncts: Conjuncts, value: JsonValue): boolean {
  const types = typeof value === 'number' ? ['number', 'integer'] : [typeof value];
  return conjuncts.every(
    ({ type }) => type === undefined || [type].flat().some((each) => types.some((own) => own === each)),
  );
}

type Maker = (conjuncts: Conjuncts, place: Place) => Arbitrary<JsonValue> | undefined;

/** The generators of each JSON type. */
const makers: ReadonlyMap<string | undefined, Maker> = new Map<string, Maker>([
  ['object', plainObject],
  ['array', plainArray],
  ['string', plainString],
  ['number', (conjuncts) => plainNumber(conjuncts, 'number')],
  ['integer', (conjuncts) => plainNumber(conjuncts, 'integer')],
  ['boolean', () => fc.boolean()],
  ['null', () => fc.constant(null)],
]);

/**
 * Generates values that satisfy the keywords of a schema one by one. A validator must check their combination (`not`,
 * `if`, an exclusive `oneOf`). Returns undefined if no value can be valid.
 */
function plainArbitrary(
  { root, known }: Pick<Place, 'root' | 'known'>,
  optional: OptionalProperties,
  { examples, user = { isMet: false } }: Partial<Pick<Place, 'examples' | 'user'>> = {},
): Arbitrary<JsonValue> | undefined {
  const conjuncts = schemaConjuncts(root, root);
  if (conjuncts === undefined) return undefined;
  let made: Arbitrary<JsonValue> | undefined;
  for (let level = optional === 'none' ? 0 : shallow; level >= 0; level -= 1) {
    const start = { depth: 0, made: new Map(), names: new Map(), chosen: new Map() };
    made = plainOf(conjuncts, { root, known, optional, examples, user, shallow: level, ...start });
    if (made === undefined || weightOf(made) <= mostValues.full) break;
  }
  return made;
}

/** Typical values of a schema; each is valid. */
export interface PlainValues {
  /** Without optional properties. */
  readonly smallest: JsonValue;
  /** With optional properties. */
  readonly fullest: JsonValue;
  /** With or without optional properties. */
  readonly arbitrary: Arbitrary<JsonValue>;
}

/** Independent of the seed of a run: the samples of a schema are the same in every run. */
const sampleSeed = 1;
/** Numbers of tries: the first valid value is used, which is mostly the first. The same seed repeats the first ones. */
const allTries: readonly number[] = [1, 15, 150];
/** Fewer tries, for callers that must respond soon and have a fallback. */
export const fewTries: readonly number[] = [1, 3];
/** The maximum number of values in all tries: a large body is likely to be invalid in the same way each time. */
const mostTried = 20_000;

function countValues(value: JsonValue): number {
  const own = isJsonObject(value) ? Object.values(value) : [];
  return (Array.isArray(value) ? value : own).reduce<number>((sum, member) => sum + countValues(member), 1);
}

function meetsUserArbitrary(root: JsonSchema): boolean {
  const user = { isMet: false };
  if (hasUserArbitraries()) plainArbitrary({ root, known: unknownPlace }, 'all', { user });
  return user.isMet;
}

/** Returns the values that a user generates for a whole parameter or body; undefined if the schema rejects them. */
export function userValues(
  kind: 'parameters' | 'mediaTypes',
  name: string,
  schema: CompiledSchema | undefined,
): PlainValues | undefined {
  const arbitrary = userArbitrary(kind, name, schema);
  if (arbitrary === undefined) return undefined;
  const [smallest = null, fullest = smallest] = fc.sample(arbitrary, { seed: sampleSeed, numRuns: 2 });
  return { smallest, fullest, arbitrary };
}

/**
 * Returns plain values of a schema, as far as it allows them: the examples of the document, else texts of ASCII
 * letters, integers from 1 to 2^31−1, arrays of one to three items. Returns undefined if no valid value is found.
 *
 * @param tries - the maximum number of generated values, in steps that each start from the beginning
 */
export function plainValues(
  schema: CompiledSchema | undefined,
  examples: readonly JsonValue[] = [],
  tries: readonly number[] = allTries,
): PlainValues | undefined {
  const { schema: root = true, known = unknownPlace } = schema ?? {};
  const isValid = (value: JsonValue): boolean => judgeStrictly(schema, value) === 'valid';
  const arbitraryOf = (
    optional: OptionalProperties,
    examples?: { isMet: boolean },
  ): Arbitrary<JsonValue> | undefined => {
    const made = plainArbitrary({ root, known }, optional, { examples });
    return known === unknownPlace ? made : made?.map((value) => withKnownValues(schema, value));
  };
  const sample = (optional: 'none' | 'all'): JsonValue | undefined => {
    const examples = { isMet: false };
    const found = sampleOf(arbitraryOf(optional, examples));
    // A single property may reject its example.
    return found === undefined && examples.isMet ? sampleOf(arbitraryOf(optional)) : found;
  };
  const sampleOf = (made: Arbitrary<JsonValue> | undefined): JsonValue | undefined => {
    if (made === undefined) return undefined;
    let tried = 0;
    let most = Infinity;
    for (const numRuns of tries) {
      const values = fc.sample(made, { seed: sampleSeed, numRuns: Math.min(numRuns, most) }).slice(tried);
      const found = values.find(isValid);
      if (found !== undefined) return found;
      tried += values.length;
      most = Math.ceil(mostTried / countValues(values[0] ?? null));
      if (tried >= most) return undefined;
    }
    return undefined;
  };
  // A whole example of the document has other values than those of the user.
  const given = meetsUserArbitrary(root) ? undefined : examples.find(isValid);
  const least =
    given === undefined ? [] : [withoutOptional(root, given, { conjuncts: schemaConjuncts(root, root) })];
  const smallest = least.find(isValid) ?? sample('none') ?? given ?? sample('all');
  if (smallest === undefined) return undefined;
  let fullest: JsonValue | undefined;
  let arbitrary: Arbitrary<JsonValue> | undefined;
  return {
    smallest,
    // Many requests need only the smallest value.
    get fullest() {
      const all = sample('all');
      const shown = isJsonObject(all) && isJsonObject(given) ? { ...all, ...given } : given;
      return (fullest ??= [shown, all].find((value) => value !== undefined && isValid(value)) ?? smallest);
    },
    get arbitrary() {
      // A value that combined keywords reject is replaced with the smallest one; a filter might never end.
      arbitrary ??= arbitraryOf('any')?.map((value) => (isValid(value) ? value : smallest));
      return (arbitrary ??= fc.constant(smallest));
    },
  };
}
