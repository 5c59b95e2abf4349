import type { Cases, RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import type { Contract, Operation } from '../src/contract/contract.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import {
  examplesOnly,
  lateOf,
  methodsBeside,
  planOperations,
  requestProperty,
  takesJson,
} from './property.ts';

const themes = [
  ['closed-connection', 'close', 'A response ends where it says, on a connection that is closed after it'],
  ['kept-connection', 'keep-alive', 'A response ends where it says, on a connection that is kept open'],
] as const;

/** Returns a plain request, rejected ones, and others to the path if no earlier operation has it. */
function requestsOf(operation: Operation, contract: Contract): readonly RequestCase[] {
  const { template } = operation.path;
  const isFirst = contract.operations.find(({ path }) => path.template === template) === operation;
  const declared = methodsBeside(operation, contract);
  const asides = ['HEAD', 'OPTIONS'].filter((method) => isFirst && !declared.includes(method));
  const bare = buildRequest(operation, { body: undefined, contentType: undefined });
  return [
    buildRequest(operation),
    ...(takesJson(operation) ? [buildRequest(operation, { body: ['{'] })] : []),
    ...(operation.security.length > 0 ? [buildRequest(operation, { credentials: { kind: 'none' } })] : []),
    ...asides.map((method): RequestCase => ({ ...bare, method })),
  ];
}

function propertiesOf(operation: Operation, contract: Contract): readonly Property[] {
  return themes.flatMap(([name, connection, title]) => {
    const make = (): Cases<RequestCase> =>
      examplesOnly(
        requestsOf(operation, contract).map((request): RequestCase => ({
          ...request,
          headers: [...request.headers, ['Connection', connection]],
        })),
      );
    return requestProperty(
      operation,
      [name, title, lateOf(operation, make, { most: 5, mayBeRandom: false })],
      { via: 'socket' },
    );
  });
}

/** The end of a response, by its status, its Content-Length or its chunks (RFC 9112 §6.3). */
export const framing: Suite = {
  id: 'framing',
  title: 'Framing of responses',
  plan: ({ contract }) => planOperations(contract, (operation) => propertiesOf(operation, contract)),
};
