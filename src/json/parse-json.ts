import { exceedsDepth } from './exceeds-depth.ts';
import { type JsonSyntaxProblem, toSyntaxProblem } from './json-syntax-problem.ts';
import type { JsonValue } from './json-value.ts';
import { mayLoseDigits } from './may-lose-digits.ts';
import { type ParsedJson, readExactly } from './read-exactly.ts';
import { repeatsKey } from './repeats-key.ts';

/** How a JSON text is read. */
export interface JsonReading {
  /**
   * Which of several equal keys of one object counts.
   *
   * @defaultValue 'last'
   */
  readonly duplicateKey?: 'last' | 'first';
  /**
   * Whether equal keys are looked for, and their places noted.
   *
   * @defaultValue false
   */
  readonly findDuplicateKeys?: boolean;
  /**
   * How many arrays and objects may stand in each other.
   *
   * @defaultValue 512
   */
  readonly maxDepth?: number;
  /**
   * Whether it is said why and where a text is no JSON; to find that out costs many times what reading costs.
   *
   * @defaultValue true
   */
  readonly explains?: boolean;
}

const unexplained: JsonSyntaxProblem = { kind: 'syntax', reason: 'it is no JSON', line: 1, column: 1 };

/**
 * Reads a JSON text (RFC 8259) without losing a digit of its numbers.
 *
 * @param text - the whole text; a byte order mark at its start is refused as RFC 8259 §8.1 allows
 * @returns the value, or why and where it is no JSON; it never throws for what stands in the text
 */
export function parseJson(text: string, reading: JsonReading = {}): ParsedJson | JsonSyntaxProblem {
  const maxDepth = reading.maxDepth ?? 512;
  if (text.length > maxDepth && exceedsDepth(text, maxDepth)) {
    return { kind: 'syntax', reason: `it is nested deeper than ${maxDepth} levels`, line: 1, column: 1 };
  }
  let value: JsonValue;
  try {
    // `as`: JSON.parse is typed `any`, and gives just these values.
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    return reading.explains === false ? unexplained : toSyntaxProblem(text, error);
  }
  const looksForKeys = reading.findDuplicateKeys === true || reading.duplicateKey === 'first';
  const needsExactReader = mayLoseDigits(text) || (looksForKeys && repeatsKey(text, value));
  if (!needsExactReader) {
    return { kind: 'json', value, exact: false, duplicateKeys: [] };
  }
  return readExactly(text, reading.duplicateKey ?? 'last');
}
