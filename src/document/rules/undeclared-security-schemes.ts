import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { DocumentProblem } from '../document-problem.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { findPaths, type FoundObject } from './find-paths.ts';

/** Security requirements for schemes that the document does not declare (OpenAPI 3.1 §4.8.30). */
export function undeclaredSecuritySchemes(root: JsonObject): readonly DocumentProblem[] {
  const components = isJsonObject(root['components']) ? root['components'] : {};
  const schemes = isJsonObject(components['securitySchemes']) ? components['securitySchemes'] : {};
  const owners: readonly FoundObject[] = [
    { pointer: '', value: root },
    ...findPaths(root).flatMap(({ operations }) => operations),
  ];
  return owners.flatMap(({ pointer, value }) => {
    const requirements = Array.isArray(value['security']) ? value['security'] : [];
    return requirements.flatMap((requirement, index) =>
      Object.keys(isJsonObject(requirement) ? requirement : {})
        .filter((name) => !Object.hasOwn(schemes, name))
        .map((name) => ({
          pointer: appendPointer(pointer, 'security', index, name),
          reason: 'is a security scheme that is not declared',
          remedy: `Declare it in components.securitySchemes, or correct the name`,
        })),
    );
  });
}
