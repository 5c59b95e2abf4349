import type { JsonPointer } from '../../json/json-pointer.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { DocumentProblem } from '../document-problem.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { resolvePointer } from '../resolve-pointer.ts';
import { toInternalPointer } from './to-internal-pointer.ts';
import { visitReferences } from './visit-references.ts';

/**
 * The references inside a document that lead nowhere, or only round in a circle.
 *
 * @param root - with no reference out of it
 */
export function checkReferences(root: JsonObject): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const inCircle = new Set<JsonPointer>();

  visitReferences(root, {
    reference(_holder, reference, pointer) {
      const place = appendPointer(pointer, '$ref');
      const target = toInternalPointer(reference);
      if (target === undefined || resolvePointer(root, target) === undefined) {
        problems.push({
          pointer: place,
          reason: `the reference ${JSON.stringify(reference)} leads to nothing`,
          remedy: 'Correct it, or add what it names',
        });
        return;
      }
      const steps = followInCircle(root, pointer);
      if (steps.length > 0 && !steps.some((step) => inCircle.has(step))) {
        problems.push({
          pointer: place,
          reason: `the reference ${JSON.stringify(reference)} only leads back to itself`,
          remedy: 'Let one of the references in the circle lead to an object',
        });
      }
      for (const step of steps) {
        inCircle.add(step);
      }
    },
  });
  return problems;
}

/** The places on the way of a reference that never arrives; none for one that does. */
function followInCircle(root: JsonObject, start: JsonPointer): readonly JsonPointer[] {
  const steps = new Set<JsonPointer>();
  let pointer: JsonPointer | undefined = start;
  while (pointer !== undefined && !steps.has(pointer)) {
    steps.add(pointer);
    const value = resolvePointer(root, pointer);
    const reference: unknown = isJsonObject(value) ? value['$ref'] : undefined;
    pointer = typeof reference === 'string' ? toInternalPointer(reference) : undefined;
  }
  return pointer === undefined ? [] : [...steps];
}
