import { appendPointer, type JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { describePath } from '../describe-path.ts';
import type { DocumentProblem } from '../document-problem.ts';
import { findPaths } from './find-paths.ts';

/** Operations that share an operationId, which must be unique (OpenAPI 3.1 §4.8.10). */
export function duplicateOperationIds(root: JsonObject): readonly DocumentProblem[] {
  const owners = new Map<string, JsonPointer>();
  return findPaths(root).flatMap(({ operations }) =>
    operations.flatMap(({ pointer, value }): DocumentProblem[] => {
      const { operationId } = value;
      if (typeof operationId !== 'string') {
        return [];
      }
      const owner = owners.get(operationId);
      // Two paths may refer to one path item, and so have one operation.
      if (owner === undefined || owner === pointer) {
        owners.set(operationId, pointer);
        return [];
      }
      return [
        {
          pointer: appendPointer(pointer, 'operationId'),
          reason: `${JSON.stringify(operationId)} is already the operationId of ${describePath(root, owner)}`,
          remedy: 'Give each operation its own',
        },
      ];
    }),
  );
}
