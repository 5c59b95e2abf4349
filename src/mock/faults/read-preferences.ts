import { parseQuery, decodeQueryText } from '../../contract/parameters/parse-query.ts';
import type { Operation } from '../../contract/operation.ts';
import type { RequestHead } from '../steps/request-head.ts';
import { tokenForm } from './is-token.ts';
import { parseMembers } from './parse-members.ts';

/** Which of the declared answers a request would like to have. */
export interface Preferences {
  /** A status, as it was written. */
  readonly code: string | undefined;
  /** The name of an example. */
  readonly example: string | undefined;
}

/**
 * Reads the preferences of a Prefer field, names in lower case. Of a name that stands twice the first counts, and
 * what cannot be read is left aside, both as RFC 7240 §2 has it.
 */
export function parsePrefer(field: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value = ''] of parseMembers(field)) {
    if (tokenForm.test(name) && !found.has(name)) {
      found.set(name, value);
    }
  }
  return found;
}

/**
 * Reads which answer a request would like to have: `Prefer: code=404, example=gone`, or `__code` and `__example` in its
 * query, as Prism takes them. The field comes first. A parameter that the operation has under such a name is its own.
 *
 * @returns undefined where it says nothing of the kind
 */
export function readPreferences(
  head: RequestHead,
  operation: Pick<Operation, 'parameters'> | undefined,
): Preferences | undefined {
  const field = head.header('prefer');
  const isInQuery = head.target.includes('__');
  if (field === undefined && !isInQuery) {
    return undefined;
  }
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
  return code === undefined && example === undefined ? undefined : { code, example };
}
