import type { JsonObject } from '../json/json-value.ts';
import type { Answers } from './policy.ts';

/** What stands in a policy file, as `schema/policy.schema.json` describes it. */
export interface PolicyFile {
  /** Where the schema is, for editors. */
  readonly $schema?: string;
  /** The document that it speaks of: a path relative to the file, or a URL. */
  readonly contract?: string;
  /** A question that is left out is not held against anybody. */
  readonly answers: Partial<Answers>;
  /** The answers of single operations, by their ids. */
  readonly operations?: Readonly<Record<string, Partial<Answers>>>;
  /** Where the answers come from, for who reads the file. */
  readonly evidence?: JsonObject;
}
