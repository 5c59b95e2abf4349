import { parseQuery, decodeQueryText } from '../../contract/parameters/parse-query.ts';
import type { RequestHead } from '../steps/request-head.ts';

/** Which of the declared answers a request would like to have. */
export interface Preferences {
  /** A status, as it was written. */
  readonly code: string | undefined;
  /** The name of an example. */
  readonly example: string | undefined;
}

/** What stands between commas, but for those in quotes. */
const member = /(?:[^,"]|"(?:[^"\\]|\\.)*")+/gu;
/** A preference (RFC 7240 §2): a name, perhaps a value, as a token or in quotes; its parameters say nothing here. */
const preference = /^\s*([!#$%&'*+\-.^_`|~\w]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^";]*)))?/u;

/**
 * Reads the preferences of a Prefer field, names in lower case. Of a name that stands twice the first counts, and
 * what cannot be read is left aside, both as RFC 7240 §2 has it. A value need not be a token here, as an example may have
 * a name with blanks in it.
 */
export function parsePrefer(field: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [part] of field.matchAll(member)) {
    const [, name, quoted, plain = ''] = preference.exec(part) ?? [];
    if (name !== undefined && !found.has(name.toLowerCase())) {
      found.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/gu, '$1') ?? plain.trim());
    }
  }
  return found;
}

/**
 * Reads which answer a request would like to have: `Prefer: code=404, example=gone`, or `__code` and `__example` in its
 * query, as Prism takes them. The field comes first.
 *
 * @returns undefined where it says nothing of the kind
 */
export function readPreferences(head: RequestHead): Preferences | undefined {
  const field = head.header('prefer');
  const isInQuery = head.target.includes('__');
  if (field === undefined && !isInQuery) {
    return undefined;
  }
  const preferred = parsePrefer(field ?? '');
  const query = isInQuery ? parseQuery(head.target) : [];
  const find = (name: string): string | undefined => {
    const raw = query.find(([key]) => key === `__${name}`)?.[1];
    return preferred.get(name) ?? (raw === undefined ? undefined : decodeQueryText(raw));
  };
  const code = find('code');
  const example = find('example');
  return code === undefined && example === undefined ? undefined : { code, example };
}
