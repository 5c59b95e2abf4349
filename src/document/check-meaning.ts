import type { JsonObject } from '../json/json-value.ts';
import type { DocumentProblem } from './document-problem.ts';
import { duplicateOperationIds } from './rules/duplicate-operation-ids.ts';
import { equalPaths } from './rules/equal-paths.ts';
import { mediaTypes } from './rules/media-types.ts';
import { pathParameters } from './rules/path-parameters.ts';
import { undeclaredSecuritySchemes } from './rules/undeclared-security-schemes.ts';

/**
 * What a document says that contradicts itself, though each part of it has the structure that it should.
 *
 * @param root - with no reference out of it
 */
export function checkMeaning(root: JsonObject): readonly DocumentProblem[] {
  return [
    ...duplicateOperationIds(root),
    ...equalPaths(root),
    ...pathParameters(root),
    ...mediaTypes(root),
    ...undeclaredSecuritySchemes(root),
  ];
}
