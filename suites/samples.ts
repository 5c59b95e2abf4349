import { bodyMedia } from '../src/arbitrary/plain-body.ts';
import { plainRequest } from '../src/arbitrary/request.ts';
import type { Operation } from '../src/contract/contract.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { isSendable, lateOf, mostPlainRequests, plainRequests, requestProperty, toPlan } from './property.ts';

function propertiesOf(operation: Operation): readonly Property[] {
  const takesBody = bodyMedia(operation).kind === 'media';
  const cases = lateOf(operation, () => plainRequests(operation), {
    most: mostPlainRequests(operation),
    mayBeRandom: takesBody,
  });
  const title = 'A plain request gets a declared response';
  return requestProperty(operation, ['sample', title, cases]);
}

/** Plain requests to operations that create nothing. */
export const samples: Suite = {
  id: 'samples',
  title: 'Samples',
  sendsPlainly: true,
  plan: ({ contract }) => {
    const others = contract.operations.filter(({ kind }) => kind.kind !== 'create');
    const sendable = others.filter(isSendable);
    const listProblems = (): string =>
      others.map((operation) => `${operation.id}: ${plainRequest(operation).problem ?? ''}`).join('; ');
    const reason =
      sendable.length > 0 || others.length === 0 ? 'every operation creates something' : listProblems();
    return toPlan(sendable.flatMap(propertiesOf), reason, listProblems);
  },
};
