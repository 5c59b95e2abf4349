/** How a schema is read where readers differ. */
export interface SchemaReading {
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
