import fc, { type Arbitrary } from 'fast-check';
import type { JsonValue } from '../json/json-value.ts';
import type { CompiledSchema } from '../schema/compile-schema.ts';
import { judgeValue } from './judge-value.ts';
import { plainArbitrary } from './plain-arbitrary.ts';

/** The values that anybody would send where a schema is to be met; each is valid. */
export interface PlainValues {
  /** Optional properties are left out. */
  readonly smallest: JsonValue;
  /** Optional properties are there. */
  readonly fullest: JsonValue;
  /** Optional properties are there or not. */
  readonly arbitrary: Arbitrary<JsonValue>;
}

/** Not the seed of a run: the samples of a schema are the same in every run. */
const sampleSeed = 1;
/** The first that is valid is taken; most often it is the first. */
const tries = [1, 150];

/**
 * Plain values of a schema: texts of ASCII letters, integers from 1 to 2^31−1, arrays of one to three items,
 * as far as the schema allows.
 *
 * @param schema - undefined allows anything
 * @param examples - tried where none can be made up: those of the document
 * @returns undefined where no valid value was found
 */
export function plainValues(
  schema: CompiledSchema | undefined,
  examples: readonly JsonValue[] = [],
): PlainValues | undefined {
  const root = schema?.schema ?? true;
  const isValid = (value: JsonValue): boolean => judgeValue(schema, value) === 'valid';
  const sample = (optional: 'none' | 'all'): JsonValue | undefined => {
    const made = plainArbitrary(root, optional);
    if (made === undefined) {
      return undefined;
    }
    for (const numRuns of tries) {
      const found = fc.sample(made, { seed: sampleSeed, numRuns }).find(isValid);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  };
  const given = examples.find(isValid);
  const smallest = sample('none') ?? given ?? sample('all');
  if (smallest === undefined) {
    return undefined;
  }
  const made = plainArbitrary(root, 'any');
  return {
    smallest,
    fullest: sample('all') ?? given ?? smallest,
    // What combined keywords rule out becomes the smallest value; a filter might never end.
    arbitrary: made?.map((value) => (isValid(value) ? value : smallest)) ?? fc.constant(smallest),
  };
}
