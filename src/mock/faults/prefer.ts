import type { Contract, Operation } from '../../contract/contract.ts';
import { decodeQueryText, parseQuery } from '../../http/query.ts';
import { findDeclaredResponse, findSuccessResponse, statusOf } from '../../contract/responses.ts';
import type { RequestHead } from '../message.ts';
import { tokenForm } from '../../http/message.ts';
import { type ForcedAnswer, isForcibleStatus } from './fault.ts';
import { hasExample } from './forced-answer.ts';
import { parseMembers } from './parse-fault.ts';

/** Formats a preference for a field (RFC 7240 §2). */
function toPreference(name: string, value: string): string {
  return `${name}=${tokenForm.test(value) ? value : JSON.stringify(value)}`;
}

/** Explains that an operation has no example with this name, as a part of a sentence. */
export function explainNoExample(
  operation: Operation | undefined,
  { example, status }: { readonly example: string; readonly status: number | undefined },
): string {
  const subject = operation === undefined ? 'what the document does not declare' : operation.id;
  return `${subject} has no ${toPreference('example', example)}${status === undefined ? '' : ` for ${status}`}`;
}

/** The declared response that a request prefers, as text: a status, an example, and whether to generate the content. */
type Preferences = Readonly<Record<'code' | 'example' | 'dynamic', string | undefined>>;

/** Parses Prefer with lower-case names. Of equal names the first counts; invalid ones are ignored (RFC 7240 §2). */
export function parsePrefer(field: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value = ''] of parseMembers(field)) {
    if (tokenForm.test(name) && !found.has(name)) found.set(name, value);
  }
  return found;
}

/**
 * Reads the preferences of a request: `Prefer: code=404, example=gone`, `dynamic=true`, or `__code` etc. in the query,
 * as in Prism. The field takes precedence. A query parameter of the operation with this name is not a preference.
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

/** The result of the preferences of a request. */
interface Choice {
  readonly answer: ForcedAnswer | undefined;
  /** Whether its content is generated for each request. */
  readonly isDynamic: boolean;
  /** The members of Preference-Applied (RFC 7240 §3). */
  readonly applied: readonly string[];
  /** The reasons for ignored preferences, each a part of a sentence. */
  readonly ignored: readonly string[];
}

/**
 * Chooses the response that a request prefers. An example is searched under the preferred status; without one, under
 * the success of the operation, then under its other responses, those with an exact status first.
 *
 * A preference that cannot be met is ignored, as RFC 7240 §2 requires: the request is handled as if the preference were
 * absent, and the response reports it.
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
      ? [`${toPreference('example', example)} is not generated, as dynamic=true requires`]
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
