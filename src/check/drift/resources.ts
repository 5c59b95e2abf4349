import { parseQuery } from '../../http/query.ts';
import type { Operation } from '../../contract/contract.ts';
import { listItems } from '../../contract/list-pages.ts';
import { undeclaredFinder } from '../../contract/list-parameters.ts';
import { isLimitAboveMaximum, listReadOnly } from '../../contract/request-facts.ts';
import { keptRole } from '../../contract/resources.ts';
import { memberAt } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { documentValueOf } from '../../policy/document-answers.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { compareIds } from '../../policy/behaviours/list-order.ts';
import { isAccepted, jsonContent, statusOf } from '../classify/answer.ts';
import type { CheckContext, CheckInput } from '../classify/subject.ts';
import { bodyRefusals, type PolicyRule, hasOnly, isRefusedForContent } from './evidence.ts';
import type { ShownBehaviours } from './observed.ts';

/** Enforces the response to a read-only property in a request. */
const enforceReadOnlySent: PolicyRule = (input) => {
  const { subject, context, confounders } = input;
  if (!sendsReadOnly(subject)) return undefined;
  if (context.policy['read-only-sent'] === 'refuse') {
    return { expected: 'it is refused', holds: !isAccepted(subject.answer) };
  }
  const isBlamed = hasOnly(confounders) && isRefusedForContent(input);
  return { expected: 'it is taken, without its read-only properties', holds: !isBlamed };
};

/** Enforces the response to an undeclared query parameter of a list. */
const enforceUnknownQueryParameter: PolicyRule = ({ subject, context, confounders }) => {
  const { operation, exchange } = subject;
  if (operation === undefined || keptRole(operation)?.kind !== 'list') return undefined;
  if (undeclaredFinder(operation)(exchange.request.target) === undefined) return undefined;
  if (context.policy['unknown-query-parameter'] === 'refuse') {
    return { expected: 'it is refused', holds: !isAccepted(subject.answer) };
  }
  const mayBlame = hasOnly(confounders) && context.taken.has(operation.id);
  return { expected: 'it is ignored', holds: !(mayBlame && bodyRefusals.has(statusOf(subject))) };
};

/** Enforces that a limit above its maximum is clamped. Accepting it against the policy breaks the document. */
const enforceLimitAboveMaximum: PolicyRule = ({ subject, context, confounders }) => {
  const { operation, request } = subject;
  const [limit, another] = request.invalidParameters;
  if (operation === undefined || limit === undefined || another !== undefined) return undefined;
  if (context.policy['limit-above-maximum'] !== 'clamp' || !isLimitAboveMaximum(limit, operation)) {
    return undefined;
  }
  const mayBlame = hasOnly(confounders, 'parameters') && context.taken.has(operation.id);
  return { expected: 'the maximum is used', holds: !(mayBlame && bodyRefusals.has(statusOf(subject))) };
};

/** Enforces the default limit of a list. */
const enforceListDefaultLimit: PolicyRule = ({ subject, context }) => {
  const items = readWholeList(subject);
  const most = context.policy['list-default-limit'];
  return items === undefined || most === 'none'
    ? undefined
    : { expected: `at most ${most} items`, holds: items.length <= most, received: `${items.length} items` };
};

/** Enforces a list in the order of ids, if configured. A list alone does not show the other orders. */
const enforceListOrder: PolicyRule = ({ subject, context }) => {
  const items = context.policy['list-order'] === 'key' ? readWholeList(subject) : undefined;
  if (items === undefined) return undefined;
  return {
    expected: 'the items by their ids',
    holds: items.every(({ id }, place) => place === 0 || compareIds(items[place - 1]?.id ?? null, id) <= 0),
    received: 'the items in another order',
  };
};

/** The policy behaviours about resources, in the order in which they are enforced. */
export const resourceBehaviours: ShownBehaviours = {
  'read-only-sent': { enforce: enforceReadOnlySent, observe: ignoredOrRefused },
  'unknown-query-parameter': { enforce: enforceUnknownQueryParameter, observe: ignoredOrRefused },
  'limit-above-maximum': {
    enforce: enforceLimitAboveMaximum,
    observe: ({ answer }) => (isAccepted(answer) ? 'clamp' : 'refuse'),
  },
  'list-default-limit': { enforce: enforceListDefaultLimit },
  'list-order': { enforce: enforceListOrder },
};

function ignoredOrRefused({ answer }: CheckInput): 'ignore' | 'refuse' {
  return isAccepted(answer) ? 'ignore' : 'refuse';
}

/** Returns whether a policy value applies to an operation: the document neither contradicts nor precludes it. */
export function isEnforced(
  id: BehaviourId,
  operation: Operation | undefined,
  { contract, policy }: CheckContext,
): boolean {
  if (operation === undefined) return false;
  const said = documentValueOf({ id, operation, contract });
  return said.kind === 'open' || (said.kind === 'answered' && said.answer === policy[id]);
}

/** Lists the items of a list that was requested without a query; undefined for other exchanges. */
function readWholeList({
  operation,
  exchange,
  answer,
}: CheckInput): ReturnType<typeof listItems> | undefined {
  if (operation === undefined || keptRole(operation)?.kind !== 'list' || !isAccepted(answer))
    return undefined;
  const isPlain = parseQuery(exchange.request.target).length === 0;
  return isPlain ? listItems(operation, jsonContent(answer)) : undefined;
}

/** Returns whether the item in a body has a read-only property. */
export function sendsReadOnly(subject: CheckInput): boolean {
  const { operation } = subject;
  const sent = sentItem(subject);
  return (
    operation !== undefined &&
    sent !== undefined &&
    listReadOnly(operation).some((name) => Object.hasOwn(sent, name))
  );
}

/** Returns the item in a valid body; undefined if there is none. */
export function sentItem({ operation, request: { body } }: CheckInput): JsonObject | undefined {
  const role = operation && keptRole(operation);
  if (body.kind !== 'valid' || role === undefined || !('request' in role)) return undefined;
  const sent = memberAt(body.value, role.request);
  return isJsonObject(sent) ? sent : undefined;
}
