import { buildRequest } from '../src/arbitrary/build-request.ts';
import { mapCases } from '../src/arbitrary/map-cases.ts';
import { invalidParameters, validParameters } from '../src/arbitrary/parameter-cases.ts';
import { plainRequest } from '../src/arbitrary/plain-request.ts';
import type { Operation } from '../src/contract/operation.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { requestProperty } from './request-property.ts';
import { toPlan } from './to-plan.ts';

function propertiesOf(operation: Operation): readonly Property[] {
  const themes = [
    ['valid-parameters', 'Parameters that the document allows are accepted', validParameters(operation)],
    [
      'invalid-parameters',
      'A parameter that the document does not allow is refused',
      invalidParameters(operation),
    ],
  ] as const;
  return themes.flatMap(([name, title, texts]) =>
    requestProperty({
      operation,
      name,
      title,
      cases: mapCases(texts, (parameters) => buildRequest(operation, { parameters })),
    }),
  );
}

/** Parameters in the path, the query, header fields and cookies. */
export const parameters: Suite = {
  id: 'parameters',
  title: 'Parameters',
  plan: ({ contract }) => {
    const usable = contract.operations.filter((operation) => plainRequest(operation).problem === undefined);
    return toPlan(usable.flatMap(propertiesOf), 'no operation has parameters');
  },
};
