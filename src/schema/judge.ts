import type { ErrorObject } from 'ajv';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Pattern } from './pattern.ts';

/** A location in a value, from the inside out. */
export interface Place {
  readonly above?: Place;
  readonly token: string | number;
  /** The property name that `propertyNames` checks as a value. */
  readonly name?: string;
}

/** The properties or items of a value that a schema has evaluated (JSON Schema 2020-12 core §11). */
export type Evaluated = Set<string | number>;

/** One application of a schema to a value. */
export interface Run {
  /** The value that the schema of the keyword checks. */
  readonly value: JsonValue;
  readonly place: Place;
  readonly errors: ErrorObject[];
  /** Undefined if no part of the schema needs it. */
  readonly evaluated: Evaluated | undefined;
}

/** Applies a schema to a value, adds its problems to the errors and returns the evaluated members. */
export type Judge = (value: JsonValue, place: Place, errors: ErrorObject[]) => Evaluated | undefined;

/** Applies one keyword to a value. */
export type Rule = (value: JsonValue, run: Run) => void;

/** A schema whose keywords become rules. */
export interface Part {
  readonly schema: JsonObject;
  readonly reading: {
    readonly formats: 'assert' | 'strings' | 'ignore';
    readonly integers: 'by-value' | 'digits';
  };
  /** Creates the validator of a subschema. */
  readonly judge: (schema: JsonValue | undefined, ...tokens: readonly (string | number)[]) => Judge;
  /** Creates the validator of the target of a reference. */
  readonly follow: (reference: string) => Judge;
  /** Adds an error of a keyword of this schema, with the same parameters as the compiler. */
  readonly report: (run: Run, keyword: string, params: Readonly<Record<string, JsonValue>>) => void;
  readonly matches: (pattern: Pattern, text: string) => boolean;
}
