import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { DocumentProblem } from '../document-problem.ts';
import { findPaths } from './find-paths.ts';

/** Paths that differ only in the names of their parameters, so that a request fits both (OpenAPI 3.1 §4.8.8). */
export function equalPaths(root: JsonObject): readonly DocumentProblem[] {
  const owners = new Map<string, JsonPointer>();
  return findPaths(root).flatMap(({ template, pointer }): DocumentProblem[] => {
    const shape = template.replaceAll(/\{[^{}]*\}/gu, '{}');
    const owner = owners.get(shape);
    if (owner === undefined) {
      owners.set(shape, template);
      return [];
    }
    return [
      {
        pointer,
        reason: `equals ${owner} but for the names of its parameters`,
        remedy: 'Make one path of the two, or tell them apart by a fixed segment',
      },
    ];
  });
}
