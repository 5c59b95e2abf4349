import type { Contract, DeclaredResponse } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import { fitsPattern, meetsUnjudged } from '../../schema/pattern.ts';
import { findText } from '../../schema/pattern-texts.ts';
import { type JsonSchema, mapSubschemas } from '../../schema/walk.ts';
import { foundText, guessesAtPattern, lengthsOf, sampleValue } from './sample-value.ts';

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

/** Whether a schema wants texts of a pattern and shows none: documents show the time of a day where they want the day. */
function needsText({ type, pattern, enum: values, examples, ...shown }: JsonObject): boolean {
  if (typeof pattern !== 'string' || ![type ?? 'string'].flat().includes('string')) return false;
  const given = [shown['const'], shown['default'], shown['example'], values, examples].flat();
  return !given.some((text) => typeof text === 'string' && fitsPattern(text, pattern));
}

function createTexts(): FindText {
  const known = new Map<string, string | undefined>();

  function find(asked: JsonObject, pattern: string): string | undefined {
    const fits = (text: JsonValue | undefined): text is string => {
      let isAccepted = false;
      const isUnsure = meetsUnjudged(() => {
        const { accepts } = schema.validator({ formats: 'assert', integers: 'by-value' });
        isAccepted = typeof text === 'string' && accepts(text, false);
      });
      return isAccepted && !isUnsure;
    };
    const schema = compileSchema({ schema: asked, pointer: '' });
    const { pattern: _pattern, ...others } = asked;
    try {
      // What fits a format tends to fit the pattern beside it, and less often the other way round.
      const usual = sampleValue(others);
      return fits(usual) ? usual : findText(pattern, lengthsOf(asked).shortest, fits);
    } catch (error) {
      if (!(error instanceof ClocheError)) throw error;
      return undefined;
    }
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
 */
export function exemplifyPatterns(contract: Contract): Contract {
  if (!mentionsPattern(contract.root)) return contract;
  const textOf = createTexts();
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
      Object.defineProperty(made, foundText, { enumerable: true, get: () => textOf(schema) });
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
