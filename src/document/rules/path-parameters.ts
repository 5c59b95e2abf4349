import { appendPointer, type JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { DocumentProblem } from '../document-problem.ts';
import { findObject, type FoundObject, type FoundPath, findPaths } from './find-paths.ts';

/** Parameters that stand in a path and are not declared, or are declared and do not stand in it (OpenAPI 3.1 §4.8.12.1). */
export function pathParameters(root: JsonObject): readonly DocumentProblem[] {
  return findPaths(root).flatMap((path) => [
    ...malformedTemplate(path),
    ...undeclaredNames(root, path),
    ...strayDeclarations(root, path),
  ]);
}

function namesIn(template: string): readonly string[] {
  return [...template.matchAll(/\{([^{}]*)\}/gu)].map(([, name = '']) => name);
}

/** The path parameters that an operation or path item declares, by name, with their places there. */
function declaredNames(root: JsonObject, { pointer, value }: FoundObject): ReadonlyMap<string, JsonPointer> {
  const { parameters } = value;
  const places = Array.isArray(parameters)
    ? parameters.map((_, index) => appendPointer(pointer, 'parameters', index))
    : [];
  return new Map(
    places.flatMap((place) => {
      const parameter = findObject(root, place)?.value;
      return parameter?.['in'] === 'path' && typeof parameter['name'] === 'string'
        ? [[parameter['name'], place]]
        : [];
    }),
  );
}

function malformedTemplate({ template, pointer }: FoundPath): readonly DocumentProblem[] {
  const names = namesIn(template);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    return [{ pointer, reason: `has the parameter {${twice}} twice`, remedy: 'Give each its own name' }];
  }
  return /[{}]/u.test(template.replaceAll(/\{[^{}]+\}/gu, ''))
    ? [
        {
          pointer,
          reason: 'has a brace that is not one of a pair around a name',
          remedy: 'Write parameters as {name}',
        },
      ]
    : [];
}

function undeclaredNames(
  root: JsonObject,
  { template, pointer, item, operations }: FoundPath,
): readonly DocumentProblem[] {
  const shared = declaredNames(root, item);
  return namesIn(template).flatMap((name) => {
    const lacking = operations.filter(
      (operation) => !shared.has(name) && !declaredNames(root, operation).has(name),
    );
    // Missing everywhere is one mistake.
    const places =
      lacking.length === operations.length
        ? [pointer].slice(0, lacking.length)
        : lacking.map((operation) => operation.pointer);
    return places.map((place) => ({
      pointer: place,
      reason: `does not declare the parameter {${name}} of the path`,
      remedy: `Add a parameter with name: ${name}, in: path and required: true`,
    }));
  });
}

function strayDeclarations(
  root: JsonObject,
  { template, item, operations }: FoundPath,
): readonly DocumentProblem[] {
  const names = namesIn(template);
  return [item, ...operations].flatMap((owner) =>
    [...declaredNames(root, owner)]
      .filter(([name]) => !names.includes(name))
      .map(([name, pointer]) => ({
        pointer,
        reason: `declares the path parameter ${JSON.stringify(name)}, which ${template} does not have`,
        remedy: `Put {${name}} into the path, or remove the parameter`,
      })),
  );
}
