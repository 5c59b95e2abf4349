import type { JsonObject } from '../json/json-value.ts';
import type { DocumentProblem } from './document-problem.ts';
import { checkMeaning } from './check-meaning.ts';
import { checkReferences } from './references/check-references.ts';
import { checkStructure } from './structure/check-structure.ts';

/**
 * Everything in a document that makes it unusable, one problem for each mistake.
 *
 * @param root - with no reference out of it
 */
export function checkDocument(root: JsonObject, version: '3.0' | '3.1'): readonly DocumentProblem[] {
  return [...checkReferences(root), ...checkStructure(root, version), ...checkMeaning(root)];
}
