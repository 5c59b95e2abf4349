import type { Property, Suite } from '../src/runner/suite.ts';
import { toPlan } from './to-plan.ts';
import { toldAuthOrder } from './told-auth-order.ts';
import { toldBodyLimit } from './told-body-limit.ts';
import { toldConstraints } from './told-constraints.ts';
import { toldDuplicateKeys } from './told-duplicate-keys.ts';
import { type ToldOperation, toldOperations } from './told-operation.ts';
import { toldRateLimit } from './told-rate-limit.ts';
import { toldUniqueProperties } from './told-unique-properties.ts';

function propertiesOf(target: ToldOperation): readonly Property[] {
  return [
    ...toldAuthOrder(target),
    ...toldBodyLimit(target),
    ...toldConstraints(target),
    ...toldDuplicateKeys(target),
    ...toldUniqueProperties(target),
  ];
}

/** What only shows whether a service keeps to the policy that the run was told. */
export const policyAnswers: Suite = {
  id: 'policy-answers',
  title: 'Answers of the policy',
  plan: (input) => {
    const targets = toldOperations(input);
    // One limit is for all operations of a service.
    const [create = targets[0]] = targets.filter(({ operation }) => operation.kind.kind === 'create');
    const burst = create === undefined ? [] : toldRateLimit(create);
    return toPlan(
      [...targets.flatMap(propertiesOf), ...burst],
      'no policy says how the service answers what the document leaves open',
    );
  },
};
