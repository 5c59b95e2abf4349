import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/core.js';
import { ClocheError } from '../errors/cloche-error.ts';
import { compareNumbers, ExactNumber } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { createCompiler } from './compiler.ts';
import { exactKeywordNames, integerFormats } from './exact-keywords.ts';
import { Interpreter } from './interpret.ts';
import type { KnownPlace } from './known-place.ts';
import { judgeWhatIsKnown } from './pattern.ts';
import { createPlainSchemaTest } from './plain-schema.ts';
import { listSchemaProblems, type SchemaProblem } from './problems.ts';
import { areJudgedOften } from './repeated-judgements.ts';
import { type JsonSchema, mapSubschemas } from './walk.ts';

/** Options of validation on which implementations differ. */
export interface ValidationMode {
  /**
   * The formats that are enforced: `assert` enforces all known ones, `strings` only those of strings (int32 and int64
   * have no range), `ignore` none.
   */
  readonly formats: 'assert' | 'strings' | 'ignore';
  /**
   * Whether `1.0` and `1e2` are integers: yes if `by-value` (JSON Schema 2020-12 core §4.2.2). If `digits`, an integer
   * has neither fraction nor exponent.
   */
  readonly integers: 'by-value' | 'digits';
}

/**
 * Validates a value. `exact` is whether it contains exact numbers, as the JSON parser reports. Returns one problem for
 * each cause; for a valid value, always the same empty array.
 */
export interface SchemaValidator {
  (value: JsonValue, exact: boolean): readonly SchemaProblem[];
  /** Returns whether the value is valid. This can be faster than listing the problems. */
  readonly accepts: (value: JsonValue, exact: boolean) => boolean;
}

const valid: readonly SchemaProblem[] = [];
/** The step limit of an interpreter. These steps take less time than compiling most schemas. */
const mostSteps = 20_000;

/** A validator that accepts every value. */
export const takesAll: SchemaValidator = Object.assign(() => valid, { accepts: () => true });

let mayGenerate: boolean | undefined;

/** Returns whether code may be generated. A Content Security Policy without `unsafe-eval` forbids it. Tested once. */
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

/** The mode of values that the document or this package writes: formats count, and 1.0 is an integer. */
export const strictMode: ValidationMode = { formats: 'assert', integers: 'by-value' };

/** Returns whether a schema accepts a value in the strict mode; true without a schema. */
export function acceptsValue(schema: CompiledSchema | undefined, value: JsonValue): boolean {
  return schema?.validator(strictMode).accepts(value, holdsExactNumber(value)) ?? true;
}

/** A schema whose validators are compiled once. */
export interface CompiledSchema {
  readonly schema: JsonSchema;
  /** The place of the schema in the document. */
  readonly pointer: JsonPointer;
  /** Returns the place in the document of a place in the schema, for example of a problem. */
  readonly placeOf: (schemaPointer: JsonPointer) => JsonPointer;
  /**
   * Returns the validator for a validation mode; the same one each time.
   *
   * @throws ClocheError SCHEMA_UNUSABLE if the schema is not a JSON Schema that can be compiled
   */
  validator(reading: ValidationMode): SchemaValidator;
  /** The values that generated valid values have at some places. Validators ignore them. */
  readonly known?: KnownPlace;
}

/**
 * Creates the validators of a self-contained schema (JSON Schema 2020-12). A compiled validator checks values without
 * exact numbers, except the first values of a plain schema. An interpreter, several times slower, checks exact numbers
 * to the last digit, and all values if code generation is forbidden. `placeOf` locates definitions outside the schema.
 * `shared` is for those in its `$defs` that other schemas also contain.
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
 * Creates one result per validation mode and remembers it. An error is thrown again on each call. Each exchange calls
 * this several times, so the lookup creates no key text.
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
  /** Whether it contains a number that no JavaScript number represents. */
  readonly holdsExactNumber: boolean;
}

/** A schema and the definitions that are compiled with it. */
interface PreparedWhole extends PreparedSchema {
  readonly shelf: Shelf;
  /** By name; without those inside the schema itself. */
  readonly definitions: ReadonlyMap<string, PreparedSchema>;
}

/** The compiler for shared definitions in one validation mode, and its state. */
interface Shelf {
  readonly compiler: Ajv2020;
  /** The place of each object of a prepared schema in the original schema. */
  readonly places: WeakMap<object, JsonPointer>;
  readonly prepared: Map<string, PreparedSchema>;
  readonly added: Set<string>;
}

/** Definitions that several schemas have in `$defs` under the same names: compiled once per validation mode. */
export interface SharedDefinitions {
  /** Definitions that need no compiling for the first values. */
  readonly plain: WeakSet<JsonObject>;
  readonly shelves: Map<string, Shelf>;
  /** By definition: how many definitions check the same value through its references. */
  readonly counts: Map<string, number>;
}

/** The state that a part of a schema shares with it if it has the same `$defs`. */
const sharedBy = new WeakMap<JsonObject, SharedDefinitions>();

/** Makes all schemas with this `$defs` object share the state of definitions. */
export function shareDefinitions($defs: JsonObject, shared: SharedDefinitions): void {
  sharedBy.set($defs, shared);
}

/** Creates the state that the schemas of a document share. */
export function createSharedDefinitions(): SharedDefinitions {
  return { plain: new WeakSet(), shelves: new Map(), counts: new Map() };
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
/** Keywords that report the schema `false` themselves. */
const saysFalseItself = ['additionalProperties', 'items', 'unevaluatedItems', 'unevaluatedProperties'];

/**
 * Prepares a schema for the compiler. Unknown keywords are removed, because the compiler uses some of them (`nullable`,
 * `id`, `$async`). Formats are removed or renamed by the validation mode. Keywords that the compiler gets wrong are
 * renamed.
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

  /** Returns the prepared keyword, or nothing if it is removed. */
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
    // The compiler compares objects by their `valueOf` and `toString` members, which can be data. It divides in
    // floating point, and compares each pair of items.
    const isOurs =
      keyword === 'const'
        ? isObject(rounded)
        : !['enum', 'type'].includes(keyword) || (Array.isArray(rounded) && rounded.some(isObject));
    return [[isOurs ? (own ?? keyword) : keyword, rounded]];
  }

  function prepare(schema: JsonSchema, pointer: JsonPointer): JsonObject {
    // Booleans become objects, because only an object has a place.
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

/** Moves a property `__proto__`, which the compiler ignores, into `patternProperties`, which it respects. */
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

/** Represents a problem without details. */
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
    // Compiled code may already refer to the definition that failed, and would call undefined code.
    added.forEach((name) => compiler.removeSchema(`#/$defs/${name}`));
    added.clear();
    throw error;
  } finally {
    // The compiler would keep the schema, and with it every contract ever loaded.
    compiler.removeSchema(schema);
  }
}
