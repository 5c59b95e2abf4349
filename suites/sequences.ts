import { checkEqualRequests } from '../src/check/equal-requests.ts';
import { checkForgottenKey } from '../src/check/forgotten-key.ts';
import { checkRefusedLeavesTrace } from '../src/check/refused-leaves-trace.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { type BodyOperation, bodyOperations } from './body-operations.ts';
import { sendSteps } from './send-steps.ts';
import { simplifySteps } from './simplify-steps.ts';
import { storeCommands } from './store-commands.ts';
import type { StoreSteps } from './store-step.ts';
import { toPlan } from './to-plan.ts';

/** About as many requests as one sequence has. */
const requestsOfOne = 25;

function propertyOf(target: BodyOperation): Property {
  const { operation } = target;
  const { examples, arbitrary } = storeCommands(target);
  return {
    id: `${operation.id}.long-sequence`,
    title: 'Many requests, one after the other, are answered as the first ones are',
    examples,
    arbitrary,
    countsAs: requestsOfOne,
    // What a sequence shows hangs on what the service was sent before, which is to be the sequence itself.
    turn: 'last',
    // `as`, twice: a property is only ever given the cases that its own examples and arbitrary make.
    simplify: (large) => simplifySteps(large as StoreSteps, operation),
    run: async (testCase, session) => sendSteps(testCase as StoreSteps, session),
    traceChecks: [checkEqualRequests, checkForgottenKey, checkRefusedLeavesTrace],
  };
}

/** Long sequences of creates, repeated keys and refused requests, held against the simplest store there is. */
export const sequences: Suite = {
  id: 'sequences',
  title: 'Sequences',
  plan: ({ contract }) => {
    const { operations, reason } = bodyOperations(contract);
    const creates = operations.filter(({ operation }) => operation.kind.kind === 'create');
    return toPlan(
      creates.map(propertyOf),
      operations.length === 0 ? reason : 'no operation creates anything',
    );
  },
};
