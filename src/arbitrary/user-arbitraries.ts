import fc, { type Arbitrary } from 'fast-check';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type CompiledSchema, compileSchema } from '../schema/compile.ts';
import type { JsonSchema } from '../schema/walk.ts';

/** Arbitraries of fast-check that a user defines for valid values in generated requests, by name. */
export interface UserArbitraries {
  /** By the name of a parameter. */
  readonly parameters?: Readonly<Record<string, Arbitrary<JsonValue>>>;
  /** By the name of a property of a request body, at any depth. */
  readonly properties?: Readonly<Record<string, Arbitrary<JsonValue>>>;
  /** By the name of a format of strings. */
  readonly formats?: Readonly<Record<string, Arbitrary<JsonValue>>>;
  /** Whole request bodies by media type, as in the document. */
  readonly mediaTypes?: Readonly<Record<string, Arbitrary<JsonValue>>>;
}

const registered = new Map<string, Arbitrary<JsonValue>>();

const keyOf = (kind: string, name: string): string => `${kind} ${name}`;

/** Registers arbitraries for the whole process. They replace earlier ones of the same kind and name. */
export function registerArbitraries({ parameters, properties, formats, mediaTypes }: UserArbitraries): void {
  for (const [kind, named = {}] of Object.entries({ parameters, properties, formats, mediaTypes })) {
    for (const [name, made] of Object.entries(named)) registered.set(keyOf(kind, name), made);
  }
}

/** Returns whether any arbitrary is registered. */
export function hasUserArbitraries(): boolean {
  return registered.size > 0;
}

/** The number of samples that decide whether an arbitrary is for a schema: a name may have several schemas. */
const samples = 20;

/**
 * Returns the arbitrary of a user for a schema, without the values that the schema rejects; undefined if there is none,
 * or if the schema rejects all samples.
 */
export function userArbitrary(
  kind: keyof UserArbitraries,
  name: string,
  schema: CompiledSchema | undefined,
): Arbitrary<JsonValue> | undefined {
  const made = registered.get(keyOf(kind, name));
  if (made === undefined || schema === undefined) return made;
  const { accepts } = schema.validator({ formats: 'assert', integers: 'by-value' });
  const isValid = (value: JsonValue): boolean => accepts(value, holdsExactNumber(value));
  const first = fc.sample(made, { seed: 1, numRuns: samples }).find(isValid);
  // A filter might never end.
  return first === undefined ? undefined : made.map((value) => (isValid(value) ? value : first));
}

/** Returns the arbitrary of a user for the schemas of a property, or for their format. */
export function userArbitraryAt(
  conjuncts: readonly JsonObject[],
  { root, name }: { readonly root: JsonSchema; readonly name?: string | undefined },
): Arbitrary<JsonValue> | undefined {
  if (!hasUserArbitraries()) return undefined;
  const format = conjuncts.map((schema) => schema['format']).find((each) => typeof each === 'string');
  const named: readonly (readonly [keyof UserArbitraries, string | undefined])[] = [
    ['properties', name],
    ['formats', format],
  ];
  for (const [kind, one] of named) {
    if (one === undefined || !registered.has(keyOf(kind, one))) continue;
    const { $defs } = isJsonObject(root) ? root : {};
    const parts = conjuncts.map(({ $defs: _defs, ...part }) => part);
    const schema = { allOf: parts, ...($defs === undefined ? {} : { $defs }) };
    const made = userArbitrary(kind, one, compileSchema({ schema, pointer: '' }));
    if (made !== undefined) return made;
  }
  return undefined;
}
