import type { Operation } from '../../contract/operation.ts';
import { createPolicy } from '../../policy/policy.ts';
import { withDocumentAnswers } from '../../policy/with-document-answers.ts';
import type { Act } from '../act/act.ts';
import { createResponder } from '../steps/create-responder.ts';
import type { Responder } from '../steps/responder.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import type { ControlContext } from './control-context.ts';
import { controlOperations } from './control-operations.ts';
import { buildControlContract } from './build-control-contract.ts';
import { toControlAct } from './to-control-act.ts';

/** The same for every mock; this module is not loaded before one is asked. */
const contract = buildControlContract();

/** The acts of the control interface, for the operations of its contract. */
function toActs(operations: readonly Operation[], context: ControlContext): ReadonlyMap<Operation, Act> {
  const acts = new Map(
    controlOperations.map(({ path, method, act }) => [`${method.toUpperCase()} ${path}`, act]),
  );
  return new Map(
    operations.flatMap((operation): [Operation, Act][] => {
      const act = acts.get(`${operation.method} ${operation.path.template}`);
      return act === undefined ? [] : [[operation, toControlAct({ operation, act, context })]];
    }),
  );
}

/** The steps that answer requests to the control interface: those of a mock of its document, with acts of its own. */
export function createControlResponder(context: ControlContext): Responder {
  return createResponder(contract, {
    policy: withDocumentAnswers(createPolicy({ 'accepted-tokens': 'any' }), contract),
    // Nothing is created here: each operation acts on the mock.
    store: createMemoryStore(),
    tokens: 'any',
    operations: contract.operations,
    samples: toActs(contract.operations, context),
    clock: Date.now,
  });
}
