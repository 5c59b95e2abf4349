import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/core.js';
import { ClocheError } from '../errors/cloche-error.ts';
import { compareNumbers, ExactNumber } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { createCompiler } from './compiler.ts';
import { exactKeywordNames, integerFormats } from './exact-keywords.ts';
import { findEndlessReference, type LookedThrough } from './from-openapi.ts';
import { Interpreter } from './interpret.ts';
import { judgeWhatIsKnown } from './pattern.ts';
import { createPlainSchemaTest } from './plain-schema.ts';
import { listSchemaProblems, type SchemaProblem } from './problems.ts';
import { areJudgedOften } from './repeated-judgements.ts';
import { type JsonSchema, mapSubschemas } from './walk.ts';

/** How a schema is read where readers differ. */
export interface ValidationMode {
  /**
   * What `format` asserts: `assert` all that are known; `strings` only those of strings, so that int32 and
   * int64 bound nothing; `ignore` none.
   */
  readonly formats: 'assert' | 'strings' | 'ignore';
  /**
   * Whether `1.0` and `1e2` are integers: `by-value` yes (JSON Schema 2020-12 core §4.2.2); `digits` only
   * what is written without fraction and exponent.
   */
  readonly integers: 'by-value' | 'digits';
}

/**
 * Judges a value, which holds an exact number or none, as the reader of JSON says. It returns what is wrong with it, one
 * problem for each cause: an empty array, always the same, for a valid value.
 */
export interface SchemaValidator {
  (value: JsonValue, exact: boolean): readonly SchemaProblem[];
  /** Whether nothing is wrong, which may be known with less work than what is. */
  readonly accepts: (value: JsonValue, exact: boolean) => boolean;
}

const valid: readonly SchemaProblem[] = [];
/** So many steps of an interpreter take less time than compiling most schemas does. */
const mostSteps = 20_000;

/** Judges by no schema. */
export const takesAll: SchemaValidator = Object.assign(() => valid, { accepts: () => true });

let mayGenerate: boolean | undefined;

/** Whether code may be generated, which a Content Security Policy without `unsafe-eval` forbids. It is tried once. */
function canGenerateCode(): boolean {
  if (mayGenerate === undefined) {
    try {
      // oxlint-disable-next-line typescript/no-implied-eval -- this is what the compiler does
      mayGenerate = typeof new Function('') === 'function';
    } catch {
      mayGenerate = false;
    }
  }
  return mayGenerate;
}

/** A schema whose validators are compiled once. */
export interface CompiledSchema {
  readonly schema: JsonSchema;
  /** The place of the schema in the document. */
  readonly pointer: JsonPointer;
  /** The place in the document of a place in the schema, such as a problem names. */
  readonly placeOf: (schemaPointer: JsonPointer) => JsonPointer;
  /**
   * The validator under a reading; the same one each time.
   *
   * @throws ClocheError SCHEMA_UNUSABLE where the schema is no JSON Schema that can be compiled
   */
  validator(reading: ValidationMode): SchemaValidator;
}

/**
 * Gives a schema that stands alone its validators (JSON Schema 2020-12). Values without exact numbers are judged by a compiled
 * validator, the first ones of a plain schema aside. An interpreter, several times slower, judges exact numbers to the last
 * digit, and everything where code may not be generated. `placeOf` is for definitions that stand elsewhere than below the schema,
 * `shared` for those in its `$defs` that stand in those of others, too.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where the schema refers to itself without end
 */
export function compileSchema(input: {
  readonly schema: JsonSchema;
  readonly pointer: JsonPointer;
  readonly placeOf?: (schemaPointer: JsonPointer) => JsonPointer;
  readonly shared?: SharedDefinitions;
}): CompiledSchema {
  const { schema, pointer, placeOf = (place): JsonPointer => pointer + place } = input;
  const definitions = isJsonObject(schema) ? schema['$defs'] : undefined;
  const shared = input.shared ?? (isJsonObject(definitions) ? sharedBy.get(definitions) : undefined);
  const endless = findEndlessReference(schema, shared?.looked);
  if (endless !== undefined) {
    const place = placeOf(endless.slice(1)) || '/';
    throw unusable(pointer, `${place} refers to itself without going into a property or an item`);
  }

  function orUnusable<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw unusable(pointer, cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  const validator = rememberByReading((reading) => createValidator({ schema, shared, orUnusable }, reading));
  return { schema, pointer, placeOf, validator };
}

function createValidator(
  {
    schema,
    shared,
    orUnusable,
  }: {
    readonly schema: JsonSchema;
    readonly shared: SharedDefinitions | undefined;
    readonly orUnusable: <T>(work: () => T) => T;
  },
  reading: ValidationMode,
): SchemaValidator {
  const isPlain = createPlainSchemaTest(schema, shared?.plain ?? new WeakSet())(schema);
  const interpret = (): Judge =>
    orUnusable(() => {
      const interpreter = new Interpreter(schema, reading, { steps: Infinity, isPlain });
      return createJudge(
        (value) => interpreter.accepts(value) === true,
        (value) => interpreter.list(value),
        new WeakMap(),
      );
    });
  const compile = (): Judge =>
    orUnusable(() => {
      // `as`: definitions are schemas.
      const { $defs = {} } = (isJsonObject(schema) ? schema : {}) as { $defs?: Record<string, JsonSchema> };
      if (areJudgedOften($defs, shared?.counts ?? new Map<string, number>())) return interpret();
      const prepared = prepareWhole({ schema, isPlain, shared }, reading);
      return prepared.holdsExactNumber ? interpret() : toJudge(prepared);
    });
  const isInterpreted = reading.integers === 'digits' || !canGenerateCode();
  const first =
    isPlain && !isInterpreted ? new Interpreter(schema, reading, { steps: mostSteps, isPlain }) : undefined;
  let exactJudge = isInterpreted ? interpret() : undefined;
  let judge = exactJudge ?? (isPlain ? undefined : compile());
  const judgeOnce = (value: JsonValue, exact: boolean): boolean | undefined =>
    exact || judge !== undefined ? undefined : first?.accepts(value);

  function judgeOf(exact: boolean): Judge {
    if (exact) return (exactJudge ??= interpret());
    return (judge ??= compile());
  }

  return Object.assign(
    (value: JsonValue, exact: boolean) => (judgeOnce(value, exact) === true ? valid : judgeOf(exact)(value)),
    {
      accepts: (value: JsonValue, exact: boolean) => judgeOnce(value, exact) ?? judgeOf(exact).accepts(value),
    },
  );
}

function unusable(pointer: JsonPointer, reason: string, cause?: unknown): ClocheError {
  return new ClocheError('SCHEMA_UNUSABLE', {
    attempt: 'compile the schema at',
    subject: pointer || '/',
    reason,
    remedy: 'Correct the schema in the document',
    cause,
  });
}

/**
 * Makes what a reading of a schema leads to once for each reading; what making it throws is thrown each time. It is
 * asked several times for each exchange, so no text is put together to find it.
 */
export function rememberByReading<Made extends object>(
  make: (reading: ValidationMode) => Made,
): (reading: ValidationMode) => Made {
  const byValue = new Map<ValidationMode['formats'], Made>();
  const byDigits = new Map<ValidationMode['formats'], Made>();
  return (reading) => {
    const known = reading.integers === 'by-value' ? byValue : byDigits;
    const made = known.get(reading.formats);
    if (made !== undefined) return made;
    const fresh = make(reading);
    known.set(reading.formats, fresh);
    return fresh;
  };
}

interface PreparedSchema {
  readonly schema: JsonObject;
  /** Whether a number in it is one that no JavaScript number stands for. */
  readonly holdsExactNumber: boolean;
}

/** A schema with what it refers to, as they are compiled together. */
interface PreparedWhole extends PreparedSchema {
  readonly shelf: Shelf;
  /** By name; those that stand in the schema itself are not among them. */
  readonly definitions: ReadonlyMap<string, PreparedSchema>;
}

/** What a compiler has of shared definitions, under one reading. */
interface Shelf {
  readonly compiler: Ajv2020;
  /** The place of each object of a prepared schema in the schema that it was made of. */
  readonly places: WeakMap<object, JsonPointer>;
  readonly prepared: Map<string, PreparedSchema>;
  readonly added: Set<string>;
}

/** Definitions that several schemas have in their `$defs` under the same names: each is compiled once for a reading. */
export interface SharedDefinitions {
  readonly looked: LookedThrough;
  /** Those that need no compiling while few values are judged. */
  readonly plain: WeakSet<JsonObject>;
  readonly shelves: Map<string, Shelf>;
  /** How often a value is judged by definitions that one of them leads to. */
  readonly counts: Map<string, number>;
}

/** What a part that is cut out of a schema, with the `$defs` of that, shares with it. */
const sharedBy = new WeakMap<JsonObject, SharedDefinitions>();

/** Has whatever is compiled with these `$defs`, the very object, share what others with definitions by these names do. */
export function shareDefinitions($defs: JsonObject, shared: SharedDefinitions): void {
  sharedBy.set($defs, shared);
}

/** Creates what the schemas of a document share. */
export function createSharedDefinitions(): SharedDefinitions {
  return {
    looked: { left: new WeakSet(), walked: new WeakSet() },
    plain: new WeakSet(),
    shelves: new Map(),
    counts: new Map(),
  };
}

function createShelf(compiler: Ajv2020): Shelf {
  return { compiler, places: new WeakMap(), prepared: new Map(), added: new Set() };
}

let compilerOfAlone: Ajv2020 | undefined;

function prepareWhole(
  {
    schema,
    isPlain,
    shared,
  }: {
    readonly schema: JsonSchema;
    readonly isPlain: boolean;
    readonly shared: SharedDefinitions | undefined;
  },
  reading: ValidationMode,
): PreparedWhole {
  if (shared === undefined) {
    compilerOfAlone ??= createCompiler(false);
    const shelf = createShelf(compilerOfAlone);
    const { places } = shelf;
    return {
      ...prepareSchema(schema, { reading, places, pointer: '' }),
      shelf,
      definitions: new Map(),
    };
  }
  const key = `${reading.formats} ${isPlain}`;
  const shelf = shared.shelves.get(key) ?? createShelf(createCompiler(isPlain));
  shared.shelves.set(key, shelf);
  const { places } = shelf;
  const { $defs = {}, ...rest } = isJsonObject(schema) ? schema : {};
  const definitions = new Map<string, PreparedSchema>();
  // `as`: definitions are schemas.
  for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
    const pointer = appendPointer('/$defs', name);
    const prepared = shelf.prepared.get(name) ?? prepareSchema(definition, { reading, places, pointer });
    shelf.prepared.set(name, prepared);
    definitions.set(name, prepared);
  }
  const root = prepareSchema(isJsonObject(schema) ? rest : schema, { reading, places, pointer: '' });
  const holdsExactNumber = [root, ...definitions.values()].some((each) => each.holdsExactNumber);
  return { schema: root.schema, holdsExactNumber, shelf, definitions };
}

const kept = new Set(
  (
    '$defs $ref additionalProperties allOf anyOf contains dependentRequired dependentSchemas else if items not oneOf ' +
    'pattern patternProperties prefixItems properties propertyNames then unevaluatedItems unevaluatedProperties'
  ).split(' '),
);
const counts = new Set(
  'maxContains maxItems maxLength maxProperties minContains minItems minLength'.split(' '),
);
const renamed: ReadonlyMap<string, string> = new Map(Object.entries(exactKeywordNames));
const compared = new Set(
  'const enum exclusiveMaximum exclusiveMinimum maximum minimum minProperties multipleOf required type uniqueItems'.split(
    ' ',
  ),
);
/** Where the schema `false` already has a problem of its own. */
const saysFalseItself = ['additionalProperties', 'items', 'unevaluatedItems', 'unevaluatedProperties'];

/**
 * Makes a schema ready for the compiler: keywords that JSON Schema does not know are left out (the compiler
 * gives some of them a meaning: `nullable`, `id`, `$async`), formats are left out or renamed as the reading
 * says, and keywords that the compiler gets wrong are renamed to ours.
 */
function prepareSchema(
  whole: JsonSchema,
  input: Pick<Shelf, 'places'> & {
    readonly reading: ValidationMode;
    readonly pointer: JsonPointer;
  },
): PreparedSchema {
  const { reading, places } = input;
  let holdsExactNumber = false;

  function round(value: JsonValue): JsonValue {
    if (value instanceof ExactNumber) {
      const rounded = Number(value.text);
      if (Number.isFinite(rounded) && compareNumbers(value, rounded) === 0) return rounded;
      holdsExactNumber = true;
      return value;
    }
    if (Array.isArray(value)) return value.map((item) => round(item));
    return isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, round(member)]))
      : value;
  }

  /** The keyword as it is prepared, or nothing where it is left out. */
  function toMember(keyword: string, value: JsonValue): readonly (readonly [string, JsonValue])[] {
    if (kept.has(keyword)) return [[keyword, value]];
    if (counts.has(keyword)) return [[keyword, value instanceof ExactNumber ? Number(value.text) : value]];
    if (keyword === 'format') {
      const isInteger = typeof value === 'string' && integerFormats.has(value);
      const asserts = isInteger ? reading.formats === 'assert' : reading.formats !== 'ignore';
      return asserts ? [[isInteger ? 'integerFormat' : 'format', value]] : [];
    }
    if (!compared.has(keyword)) return [];
    const rounded = round(value);
    const own = renamed.get(keyword);
    // The compiler compares objects by their own `valueOf` and `toString`, which may be members like any other. It divides in
    // floating point, and compares each item with each.
    const isOurs =
      keyword === 'const'
        ? isObject(rounded)
        : !['enum', 'type'].includes(keyword) || (Array.isArray(rounded) && rounded.some(isObject));
    return [[isOurs ? (own ?? keyword) : keyword, rounded]];
  }

  function prepare(schema: JsonSchema, pointer: JsonPointer): JsonObject {
    // As objects, so that each schema has a place.
    const ofBoolean: JsonObject = schema === true ? {} : { not: {} };
    const source = typeof schema === 'boolean' ? ofBoolean : keepProtoProperty(schema);
    if (Object.hasOwn(source, '$dynamicRef')) throw new Error('$dynamicRef is not supported; use $ref');
    const members = Object.entries(mapSubschemas(source, prepare, pointer)).flatMap(([keyword, value]) => {
      const saysFalse = saysFalseItself.includes(keyword) && source[keyword] === false;
      return toMember(keyword, saysFalse ? false : value);
    });
    const prepared: JsonObject = Object.fromEntries(members);
    places.set(prepared, pointer);
    return prepared;
  }

  const schema = prepare(whole, input.pointer);
  return { schema, holdsExactNumber };
}

const isObject = (value: JsonValue): boolean => typeof value === 'object' && value !== null;

/** The compiler passes over a property called `__proto__`; as a pattern it does not. */
function keepProtoProperty(schema: JsonObject): JsonObject {
  const properties = schema['properties'];
  if (!isJsonObject(properties) || !Object.hasOwn(properties, '__proto__')) return schema;
  const { ['__proto__']: own = true, ...others } = properties;
  const patterns = isJsonObject(schema['patternProperties']) ? schema['patternProperties'] : {};
  return { ...schema, properties: others, patternProperties: { ...patterns, '^__proto__$': own } };
}

interface Judge {
  (value: JsonValue): readonly SchemaProblem[];
  readonly accepts: (value: JsonValue) => boolean;
}

/** Something that is wrong, where nobody asks what. */
const wrong: readonly unknown[] = [undefined];

function toJudge({ schema, shelf, definitions }: PreparedWhole): Judge {
  const { compiler, places, added } = shelf;
  for (const [name, definition] of definitions) {
    if (added.has(name)) continue;
    compiler.addSchema(definition.schema, `#/$defs/${name}`);
    added.add(name);
  }
  const accepts = compileOrForget(schema, shelf);
  return createJudge(accepts, () => accepts.errors ?? [], places);
}

function createJudge(
  accepts: (value: JsonValue) => boolean,
  listErrors: (value: JsonValue) => readonly ErrorObject[],
  places: Shelf['places'],
): Judge {
  const judge = <Problem>(
    value: JsonValue,
    none: readonly Problem[],
    list: () => readonly Problem[],
  ): readonly Problem[] => judgeWhatIsKnown(() => (accepts(value) ? none : list()));
  return Object.assign(
    (value: JsonValue) => judge(value, valid, () => listSchemaProblems(listErrors(value), places)),
    { accepts: (value: JsonValue) => judge(value, [], () => wrong).length === 0 },
  );
}

function compileOrForget(schema: JsonObject, { compiler, added }: Shelf): ValidateFunction {
  try {
    return compiler.compile(schema);
  } catch (error) {
    // What refers to the definition that cannot be compiled may be there already, and would call what is not.
    added.forEach((name) => compiler.removeSchema(`#/$defs/${name}`));
    added.clear();
    throw error;
  } finally {
    // The compiler would keep it, and with it every contract ever loaded.
    compiler.removeSchema(schema);
  }
}
