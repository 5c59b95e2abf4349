import { ClocheError } from '../errors/cloche-error.ts';
import type { JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { findEndlessReference } from './find-endless-reference.ts';
import type { JsonSchema } from './json-schema.ts';
import { listSchemaProblems } from './list-schema-problems.ts';
import { type PreparedSchema, prepareSchema } from './prepare-schema.ts';
import { rememberByReading } from './remember-by-reading.ts';
import type { SchemaProblem } from './schema-problem.ts';
import type { SchemaReading } from './schema-reading.ts';
import { schemaCompiler } from './schema-compiler.ts';

/**
 * Judges a value. It returns what is wrong with it, one problem for each cause: an empty array, always the
 * same, for a valid value.
 *
 * @param exact - whether the value holds an exact number, as the reader of JSON says
 */
export type SchemaValidator = (value: JsonValue, exact: boolean) => readonly SchemaProblem[];

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
  validator(reading: SchemaReading): SchemaValidator;
}

type Judge = (value: JsonValue) => readonly SchemaProblem[];

const valid: readonly SchemaProblem[] = [];

/**
 * Gives a schema its validators (JSON Schema 2020-12). One for values without exact numbers is compiled with
 * the first call of `validator`; one that is exact to the last digit, several times slower, when a value or
 * the schema itself first needs it.
 *
 * @param input - the schema, standing alone, and its place in the document
 * @param input.placeOf - where its definitions stand in the document, if not below it
 * @throws ClocheError SCHEMA_UNUSABLE where the schema refers to itself without end
 */
export function compileSchema(input: {
  readonly schema: JsonSchema;
  readonly pointer: JsonPointer;
  readonly placeOf?: (schemaPointer: JsonPointer) => JsonPointer;
}): CompiledSchema {
  const { schema, pointer, placeOf = (place): JsonPointer => pointer + place } = input;
  const endless = findEndlessReference(schema);
  if (endless !== undefined) {
    const place = placeOf(endless.slice(1));
    throw unusable(
      pointer,
      `${place === '' ? '/' : place} refers to itself without going into a property or an item`,
    );
  }
  return {
    schema,
    pointer,
    placeOf,
    validator: rememberByReading((reading) => createValidator(input, reading)),
  };
}

function createValidator(
  { schema, pointer }: { readonly schema: JsonSchema; readonly pointer: JsonPointer },
  reading: SchemaReading,
): SchemaValidator {
  const plain = orUnusable(pointer, () => prepareSchema({ schema, reading, exact: false }));
  const compileExact = (): Judge =>
    orUnusable(pointer, () => toJudge(prepareSchema({ schema, reading, exact: true })));
  if (reading.integers === 'digits' || plain.holdsExactNumber) {
    return compileExact();
  }
  const judge = orUnusable(pointer, () => toJudge(plain));
  let exactJudge: Judge | undefined;
  return (value, exact) => {
    if (!exact) {
      return judge(value);
    }
    exactJudge ??= compileExact();
    return exactJudge(value);
  };
}

function toJudge({ schema, places }: PreparedSchema): Judge {
  const compiler = schemaCompiler();
  const accepts = compiler.compile(schema);
  // The compiler would keep it, and with it every contract ever loaded.
  compiler.removeSchema(schema);
  return (value) => (accepts(value) ? valid : listSchemaProblems(accepts.errors ?? [], places));
}

function orUnusable<T>(pointer: JsonPointer, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw unusable(pointer, reason, cause);
  }
}

function unusable(pointer: JsonPointer, reason: string, cause?: unknown): ClocheError {
  return new ClocheError('SCHEMA_UNUSABLE', {
    attempt: 'compile the schema at',
    subject: pointer === '' ? '/' : pointer,
    reason,
    remedy: 'Correct the schema in the document',
    cause,
  });
}
