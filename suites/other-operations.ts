import { type Cases, lateCases, type RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest, fillItems } from '../src/arbitrary/request.ts';
import type { Operation } from '../src/contract/contract.ts';
import type { Suite } from '../src/runner/suite.ts';
import { examplesOnly, methodsBeside, requestProperty, toPlan } from './property.ts';

const safe = ['GET', 'HEAD', 'OPTIONS'];
const unsafe = ['PUT', 'PATCH', 'DELETE'];
/** The maximum number of paths. The same code would answer more. */
const mostPaths = 5;

/** Returns a request that no operation of the document accepts, to the path of an operation. */
function aside(operation: Operation, method: string): RequestCase {
  const target = fillItems(buildRequest(operation).target, operation);
  const isBare = safe.includes(method) || method === 'DELETE';
  return {
    operationId: undefined,
    method,
    target: target.split('?', 1)[0] ?? target,
    headers: isBare ? [] : [['Content-Type', 'application/json']],
    credentials: { kind: 'good' },
    body: isBare ? undefined : ['{}'],
    framing: 'content-length',
  };
}

/** Methods and paths that the document does not declare. */
export const otherOperations: Suite = {
  id: 'other-operations',
  title: 'Undeclared methods and paths',
  plan: ({ contract, unsafeMethods }) => {
    const methods = unsafeMethods ? [...safe, ...unsafe] : safe;
    const paths = new Map(contract.operations.map((operation) => [operation.path.template, operation]));
    const onPaths = [...paths.values()].slice(0, mostPaths).flatMap((operation) => {
      const declared = methodsBeside(operation, contract);
      return methods
        .filter((method) => !declared.includes(method))
        .map((method) => () => aside(operation, method));
    });
    const [operation] = contract.operations;
    const unknown =
      operation === undefined
        ? []
        : ['GET', 'POST'].map((method) => () => ({
            ...aside(operation, method),
            target: '/cloche-unknown-path',
          }));
    const requests = [...onPaths, ...unknown];
    const make = (): Cases<RequestCase> => examplesOnly(requests.map((makeOne) => makeOne()));
    const properties = requestProperty({ id: 'undeclared' }, [
      'methods-and-paths',
      'An undeclared method or path causes no server error',
      lateCases(requests.length, make, false),
    ]);
    return toPlan(properties, 'the document has no operation');
  },
};
