import type { Contract, Operation } from '../../contract/contract.ts';
import { decodeQueryText, parseQuery } from '../../http/query.ts';
import { findDeclaredResponse, findSuccessResponse, statusOf } from '../../contract/responses.ts';
import type { RequestHead } from '../message.ts';
import { tokenForm } from '../../http/message.ts';
import { type ForcedAnswer, isForcibleStatus } from './fault.ts';
import { hasExample } from './forced-answer.ts';
import { parseMembers } from './parse-fault.ts';

/** A preference as it is written (RFC 7240 §2). */
function toPreference(name: string, value: string): string {
  return `${name}=${tokenForm.test(value) ? value : JSON.stringify(value)}`;
}

/** Says that an operation has no example of a name, a part of a sentence. */
export function explainNoExample(
  operation: Operation | undefined,
  { example, status }: { readonly example: string; readonly status: number | undefined },
): string {
  const subject = operation === undefined ? 'what the document does not declare' : operation.id;
  return `${subject} has no ${toPreference('example', example)}${status === undefined ? '' : ` for ${status}`}`;
}

/** Which of the declared answers a request would like to have, as it was written: a status, an example, and whether it is made up. */
type Preferences = Readonly<Record<'code' | 'example' | 'dynamic', string | undefined>>;

/** Reads a Prefer field, names in lower case. The first of equal names counts; unreadable ones are ignored (RFC 7240 §2). */
export function parsePrefer(field: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value = ''] of parseMembers(field)) {
    if (tokenForm.test(name) && !found.has(name)) found.set(name, value);
  }
  return found;
}

/**
 * Reads which answer a request would like to have: `Prefer: code=404, example=gone`, `dynamic=true`, or `__code` and the like in its
 * query, as Prism reads them. The field comes first. A parameter that the operation has under such a name is its own.
 */
export function readPreferences(
  head: RequestHead,
  operation: Pick<Operation, 'parameters'> | undefined,
): Preferences | undefined {
  const field = head.header('prefer');
  const isInQuery = head.target.includes('__');
  if (field === undefined && !isInQuery) return undefined;
  const preferred = parsePrefer(field ?? '');
  const query = isInQuery ? parseQuery(head.target) : [];
  const find = (name: string): string | undefined => {
    const key = `__${name}`;
    const isOwn = operation?.parameters.some((each) => each.in === 'query' && each.name === key) ?? false;
    const raw = isOwn ? undefined : query.find(([written]) => written === key)?.[1];
    return preferred.get(name) ?? (raw === undefined ? undefined : decodeQueryText(raw));
  };
  const code = find('code');
  const example = find('example');
  const dynamic = find('dynamic');
  return [code, example, dynamic].every((each) => each === undefined)
    ? undefined
    : { code, example, dynamic };
}

/** What comes of the preferences of a request. */
interface Choice {
  readonly answer: ForcedAnswer | undefined;
  /** Whether its content is made up anew. */
  readonly isDynamic: boolean;
  /** What Preference-Applied says (RFC 7240 §3). */
  readonly applied: readonly string[];
  /** Why a preference is not met, a part of a sentence each. */
  readonly ignored: readonly string[];
}

/**
 * Chooses the answer that a request prefers. An example is looked for under the status that is preferred, else under the
 * success of the operation, else under its other responses, those with a status of their own first.
 *
 * A preference that cannot be met is left aside, as RFC 7240 §2 wants it: the request is answered as if it had not
 * been there, and the answer says so.
 */
export function choosePreferred(
  { root }: Pick<Contract, 'root'>,
  operation: Operation,
  { code, example, dynamic }: Preferences,
): Choice {
  const wanted = code !== undefined && /^\d{3}$/u.test(code) ? Number(code) : undefined;
  const status = isForcibleStatus(wanted) ? wanted : undefined;
  const isDynamic = dynamic === 'true';
  const applied = [
    ...(status === undefined ? [] : [toPreference('code', String(status))]),
    ...(dynamic === 'true' || dynamic === 'false' ? [toPreference('dynamic', dynamic)] : []),
  ];
  const ignored = [
    ...(code === undefined || status !== undefined
      ? []
      : [`${toPreference('code', code)} is no status from 200 to 599`]),
    ...(dynamic === undefined || dynamic === 'true' || dynamic === 'false'
      ? []
      : [`${toPreference('dynamic', dynamic)} is neither true nor false`]),
    ...(isDynamic && example !== undefined
      ? [`${toPreference('example', example)} is not made up, as dynamic=true wants it`]
      : []),
  ];
  const success = findSuccessResponse(operation);
  if (isDynamic) {
    const own = success === undefined ? 200 : statusOf(success);
    return { answer: { status: status ?? own }, isDynamic, applied, ignored };
  }
  const answer = status === undefined ? undefined : { status };
  if (example === undefined) return { answer, isDynamic, applied, ignored };
  const others = operation.responses
    .filter((response) => response !== success)
    .toSorted((left, right) => Number(left.status.kind !== 'exact') - Number(right.status.kind !== 'exact'));
  const declared =
    status === undefined ? [success, ...others] : [findDeclaredResponse(operation.responses, status)];
  const response = declared.find((each) => each !== undefined && hasExample(root, each, example));
  if (response === undefined) {
    return {
      answer,
      isDynamic,
      applied,
      ignored: [...ignored, explainNoExample(operation, { example, status })],
    };
  }
  const own = response === success || response.status.kind !== 'default' ? statusOf(response) : 500;
  return {
    answer: { status: status ?? own, example },
    isDynamic,
    applied: [...applied, toPreference('example', example)],
    ignored,
  };
}
