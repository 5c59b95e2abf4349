import type { Operation } from '../contract/operation.ts';
import { policyOf } from '../policy/policy-of.ts';
import { questions } from '../policy/questions.ts';
import type { CheckContext } from './check-context.ts';

/**
 * What checks may know where a request reached an operation: its own answers stand before those of the service,
 * and are told, as nothing but a policy gives them.
 *
 * @param operation - undefined where a request reached none
 */
export function contextOf(context: CheckContext, operation: Operation | undefined): CheckContext {
  const own = operation === undefined ? undefined : context.policy.operations?.[operation.id];
  if (operation === undefined || own === undefined) {
    return context;
  }
  const told = Object.values(questions).flatMap(({ id }) => (own[id] === undefined ? [] : [id]));
  return {
    ...context,
    policy: policyOf(context.policy, operation.id),
    told: new Set([...context.told, ...told]),
    ...(own.echo === undefined ? {} : { echo: own.echo === 'exact' ? 'violation' : undefined }),
  };
}
