import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonValue } from '../json/json-value.ts';
import { describePath } from './describe-path.ts';
import type { DocumentProblem } from './document-problem.ts';
import type { LocatedProblem } from './located-problem.ts';
import { locatePointer, type TextPlaces } from './text-places.ts';

/**
 * Says of a problem at which line and column it lies, and names the way to it.
 *
 * @param input.file - what to call the text
 */
export function locateProblem(input: {
  readonly problem: DocumentProblem;
  readonly root: JsonValue;
  readonly places: TextPlaces;
  readonly file: string;
}): LocatedProblem {
  const { root, places, file } = input;
  const { pointer, reason, remedy } = input.problem;
  const path = isJsonObject(root) ? describePath(root, pointer) : '';
  return {
    ...(locatePointer({ places, root, pointer }) ?? { file, line: 1, column: 1 }),
    reason: path === '' ? reason : `${path}: ${reason}`,
    remedy,
  };
}
