import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { DocumentProblem } from '../document-problem.ts';

/** A problem as the evaluator of structures finds it: with what it needs to tell likely branches from others. */
export interface StructureProblem extends DocumentProblem {
  readonly keyword: 'type' | 'value' | 'missing' | 'other';
  /** The pointer of the value that was judged; that of the problem may lead to a member of it. */
  readonly judged: JsonPointer;
  /** Types, values or names that would do. */
  readonly expected: readonly JsonValue[];
}
