import type { Contract, DeclaredResponse } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import { type JsonSchema, mapSubschemas } from '../../schema/walk.ts';
import { foundText, guessesAtPattern } from './sample-value.ts';

/** Escapes and character classes, where nothing is a quantifier; and the quantifiers without an upper bound. */
const pieces = /\\.|\[(?:\\.|[^\]\\])*\]|(?<open>[*+]|\{\d+,\})/gsu;
const assertions = /\(\?<?[=!](?:\\.|\[(?:\\.|[^\]\\])*\]|[^()\\])*\)/gsu;
/** How many quantifiers are tried, and how much fewer than the shortest length they may count. */
const most = { quantifiers: 4, fewer: 8 };

function widen(pattern: string, position: number, count: number): string {
  let seen = -1;
  return pattern.replaceAll(pieces, (piece: string, open: string | undefined) => {
    seen += open === undefined ? 0 : 1;
    return open !== undefined && seen === position ? `{${count},}` : piece;
  });
}

/**
 * Patterns to generate texts from where a text of a pattern is wanted, the pattern itself the first: without
 * the assertions that look ahead or behind, and with quantifiers that reach the shortest length. What fits
 * one of them need not fit the pattern. The length is in code points.
 */
export function patternVariants(pattern: string, minLength: number): readonly string[] {
  const plain = pattern.replaceAll(assertions, '');
  const open = [...plain.matchAll(pieces)].filter(({ groups }) => groups?.['open'] !== undefined);
  const counts = Array.from({ length: most.fewer + 1 }, (_, fewer) => minLength - fewer).filter(
    (count) => count > 1,
  );
  const wide = open
    .slice(0, most.quantifiers)
    .flatMap((_, position) => counts.map((count) => widen(plain, position, count)));
  return [...new Set([pattern, plain, ...wide])];
}

/** Keywords that a text may be taken from; where there is one, none is made up. */
const given = ['const', 'default', 'examples', 'example', 'enum'];

type FindText = (schema: JsonObject) => string | undefined;

const mentions = new WeakMap<object, boolean>();

/** Whether `pattern` is a key anywhere, in a schema or not. What schemas share is read once. */
function mentionsPattern(value: JsonValue): boolean {
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) return false;
  const known = mentions.get(value);
  if (known !== undefined) return known;
  const found = Object.hasOwn(value, 'pattern') || Object.values(value).some(mentionsPattern);
  mentions.set(value, found);
  return found;
}

function needsText(schema: JsonObject): boolean {
  const types = [schema['type'] ?? 'string'].flat();
  return (
    typeof schema['pattern'] === 'string' &&
    types.includes('string') &&
    !given.some((keyword) => Object.hasOwn(schema, keyword))
  );
}

async function createFindText(): Promise<FindText> {
  const { plainValues } = await import('../../arbitrary/from-schema.ts');
  const known = new Map<string, string | undefined>();

  function find(asked: JsonObject, pattern: string): string | undefined {
    const minLength = Number(asked['minLength'] ?? 0);
    for (const variant of patternVariants(pattern, minLength)) {
      // The first pattern is generated from, and both are held against what is made.
      const schema = { allOf: [{ type: 'string', pattern: variant }, asked] };
      try {
        const text = plainValues(compileSchema({ schema, pointer: '' }))?.smallest;
        if (typeof text === 'string') return text;
      } catch (error) {
        if (!(error instanceof ClocheError)) throw error;
      }
    }
    return undefined;
  }

  return ({ pattern, format, minLength, maxLength }) => {
    if (typeof pattern !== 'string') return undefined;
    const asked: JsonObject = {
      type: 'string',
      pattern,
      ...(format !== undefined && { format }),
      ...(minLength !== undefined && { minLength }),
      ...(maxLength !== undefined && { maxLength }),
    };
    const key = stringifyJson(asked);
    if (!known.has(key)) {
      known.set(key, find(asked, pattern));
    }
    return known.get(key);
  };
}

/**
 * Gives the responses of a contract what a sample cannot be made without: a text in each string schema
 * with a `pattern`, which says how a text is judged and not how one is made. The validators stay as they are. The texts are the same in
 * every run. What no text is found for stays as it is. A schema gets them when it is first read.
 *
 * The generators are loaded only for a document with a pattern.
 */
export async function exemplifyPatterns(contract: Contract): Promise<Contract> {
  if (!mentionsPattern(contract.root)) return contract;
  const findText = await createFindText();
  const known = {
    kept: new Map<CompiledSchema, CompiledSchema>(),
    sampled: new Map<CompiledSchema, CompiledSchema>(),
  };
  const exemplified = new WeakMap<JsonObject, JsonSchema>();

  function addExamples(schema: JsonSchema): JsonSchema {
    if (!isJsonObject(schema)) return schema;
    // Definitions are shared by many schemas.
    const earlier = exemplified.get(schema);
    if (earlier !== undefined) return earlier;
    const made = mapSubschemas(schema, addExamples);
    if (needsText(schema)) {
      // Of the many patterns of a document, a sample meets few.
      Object.defineProperty(made, foundText, { enumerable: true, get: () => findText(schema) });
    }
    exemplified.set(schema, made);
    return made;
  }

  /** @param isKept - whether ids and whole items are made by it, of which its own sample need not have any */
  function withTexts(compiled: CompiledSchema, isKept: boolean): CompiledSchema {
    let schema: JsonSchema | undefined;
    return {
      pointer: compiled.pointer,
      placeOf: compiled.placeOf,
      validator: (reading) => compiled.validator(reading),
      get schema() {
        if (schema === undefined) {
          const isAsked = isKept ? mentionsPattern(compiled.schema) : guessesAtPattern(compiled.schema);
          schema = isAsked ? addExamples(compiled.schema) : compiled.schema;
        }
        return schema;
      },
    };
  }

  function exemplify<T extends { readonly schema: CompiledSchema | undefined }>(
    holder: T,
    isKept: boolean,
  ): T {
    const { schema } = holder;
    if (schema === undefined) return holder;
    const ofKind = known[isKept ? 'kept' : 'sampled'];
    const whole = ofKind.get(schema) ?? withTexts(schema, isKept);
    ofKind.set(schema, whole);
    return { ...holder, schema: whole };
  }
  const exemplifyResponse = (response: DeclaredResponse, isKept: boolean): DeclaredResponse => ({
    ...response,
    media: response.media.map((media) => exemplify(media, isKept)),
    headers: response.headers.map((header) => exemplify(header, false)),
  });
  return {
    ...contract,
    operations: contract.operations.map((operation) => ({
      ...operation,
      responses: operation.responses.map((response) =>
        exemplifyResponse(response, operation.kind.kind !== 'sample'),
      ),
    })),
  };
}
