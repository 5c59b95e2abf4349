import { invalidParameters, validParameters } from '../src/arbitrary/parameters.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import type { Suite } from '../src/runner/suite.ts';
import { planOperations, requestProperties } from './property.ts';

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
            [
              'valid-parameters',
              'Parameters that the document allows are accepted',
              validParameters(operation),
            ],
            [
              'invalid-parameters',
              'A parameter that the document does not allow is refused',
              invalidParameters(operation),
            ],
          ],
          (texts) => buildRequest(operation, { parameters: texts }),
        ),
      'no operation has parameters',
    ),
};
