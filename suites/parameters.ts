import { outlineOf } from '../src/arbitrary/body-outline.ts';
import { invalidParameters, validParameters } from '../src/arbitrary/parameters.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import type { Suite } from '../src/runner/suite.ts';
import type { Parameter } from '../src/contract/read-parameters.ts';
import { schemaTypes } from '../src/schema/walk.ts';
import { lateOf, planOperations, requestProperties } from './property.ts';

/** Returns whether a parameter can be invalid: missing although required, or with a value that its schema rejects. */
function mayBeInvalid({ in: place, required, schema }: Parameter): boolean {
  const described = schema?.schema ?? true;
  const types = [...schemaTypes(described)];
  return (
    (required && place !== 'path') || types.some((type) => type !== 'string') || outlineOf(described).bounds
  );
}

/** The maximum number of invalid values of one parameter. */
const mostOfOne = 30;

/** Parameters in the path, the query, header fields and cookies. */
export const parameters: Suite = {
  id: 'parameters',
  title: 'Parameters',
  plan: ({ contract }) =>
    planOperations(
      contract,
      (operation) =>
        requestProperties(
          operation,
          [
            // Parameters that only name an item need no cases.
            operation.parameters.some(
              ({ in: place, name }) =>
                place !== 'path' || !operation.items.some(({ parameter }) => parameter === name),
            ) && [
              'valid-parameters',
              'Parameters that the document allows are accepted',
              lateOf(operation, () => validParameters(operation), { most: 60 }),
            ],
            operation.parameters.some(mayBeInvalid) && [
              'invalid-parameters',
              'A parameter that the document does not allow is refused',
              lateOf(operation, () => invalidParameters(operation), {
                most: Math.min(60, mostOfOne * operation.parameters.length),
                mayBeRandom: 60 < mostOfOne * operation.parameters.length,
              }),
            ],
          ],
          (texts) => buildRequest(operation, { parameters: texts }),
        ),
      'no operation has parameters',
    ),
};
