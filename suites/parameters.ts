import { invalidParameters, validParameters } from '../src/arbitrary/parameters.ts';
import { mapCases } from '../src/arbitrary/request-case.ts';
import { buildRequest, plainRequest } from '../src/arbitrary/request.ts';
import type { Operation } from '../src/contract/contract.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { requestProperty, toPlan } from './property.ts';

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
