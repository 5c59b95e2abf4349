import type { ErrorObject } from 'ajv';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Pattern } from './pattern.ts';

/** A location in a value, from the inside out. */
export interface Place {
  readonly above?: Place;
  readonly token: string | number;
  /** The property name that `propertyNames` judges as a value. */
  readonly name?: string;
}

/** The properties or items of a value that a schema has evaluated (JSON Schema 2020-12 core §11). */
export type Evaluated = Set<string | number>;

/** One application of a schema to a value. */
export interface Run {
  /** The value that the schema of the keyword judges. */
  readonly value: JsonValue;
  readonly place: Place;
  readonly errors: ErrorObject[];
  /** Undefined if no part of the schema asks for it. */
  readonly evaluated: Evaluated | undefined;
}

/** Applies a schema to a value, adds what is wrong to the errors and returns what the schema evaluated. */
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
  /** Creates the judge of a schema below this one. */
  readonly judge: (schema: JsonValue | undefined, ...tokens: readonly (string | number)[]) => Judge;
  /** Creates the judge of the target of a reference. */
  readonly follow: (reference: string) => Judge;
  /** Adds an error of a keyword of this schema, with the parameters that the compiler gives it. */
  readonly report: (run: Run, keyword: string, params: Readonly<Record<string, JsonValue>>) => void;
  readonly matches: (pattern: Pattern, text: string) => boolean;
}
