import type { RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest, plainRequest } from '../src/arbitrary/request.ts';
import type { Contract, Operation } from '../src/contract/contract.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { requestProperty, toPlan } from './property.ts';

const themes = [
  ['closed-connection', 'close', 'An answer ends where it says, on a connection that is closed after it'],
  ['kept-connection', 'keep-alive', 'An answer ends where it says, on a connection that is kept'],
] as const;

/** A request to the path of an operation by another method, which has no content. */
function aside(operation: Operation, method: 'HEAD' | 'OPTIONS'): RequestCase {
  return {
    ...buildRequest(operation, { body: undefined, contentType: undefined }),
    method,
  };
}

/** A plain request, refused ones, and those to the path, if no other operation has it before this one. */
function requestsOf(operation: Operation, contract: Contract): readonly RequestCase[] {
  const { template } = operation.path;
  const isFirst = contract.operations.find(({ path }) => path.template === template) === operation;
  const declared = contract.operations
    .filter(({ path }) => path.template === template)
    .map(({ method }) => method);
  const asides = (['HEAD', 'OPTIONS'] as const).filter((method) => isFirst && !declared.includes(method));
  return [
    buildRequest(operation),
    ...(plainRequest(operation).body.kind === 'body' ? [buildRequest(operation, { body: ['{'] })] : []),
    ...(operation.security.length > 0 ? [buildRequest(operation, { credentials: { kind: 'none' } })] : []),
    ...asides.map((method) => aside(operation, method)),
  ];
}

function propertiesOf(operation: Operation, contract: Contract): readonly Property[] {
  const requests = requestsOf(operation, contract);
  return themes.flatMap(([name, connection, title]) => {
    const examples = requests.map((request): RequestCase => {
      return { ...request, headers: [...request.headers, ['Connection', connection]] };
    });
    const properties = requestProperty({
      operation,
      name,
      title,
      cases: { examples, arbitrary: undefined },
    });
    return properties.map((property): Property => ({ ...property, via: 'socket' }));
  });
}

/** Where an answer ends, by its status, its Content-Length or its chunks (RFC 9112 §6.3). */
export const framing: Suite = {
  id: 'framing',
  title: 'Framing of answers',
  plan: ({ contract }) => {
    const usable = contract.operations.filter((operation) => plainRequest(operation).problem === undefined);
    return toPlan(
      usable.flatMap((operation) => propertiesOf(operation, contract)),
      'no plain request can be made',
    );
  },
};
