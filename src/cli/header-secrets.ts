import type { HeaderList } from '../http/header-list.ts';

/** Fields whose values are secrets, however short they are. */
const secretive =
  /^(?:proxy-)?authorization$|^cookie$|(?:^|[-_])(?:key|token|secret|password|auth|session)$/iu;

/** A shorter value of a cookie stands in too many other places to be looked for by itself. */
const shortestCookie = 6;

/**
 * The secrets in the header fields that a run sends with every request: credentials without their scheme,
 * cookies, keys and tokens.
 *
 * @example
 * headerSecrets([['Authorization', 'Bearer s3cret'], ['X-Tenant', 'acme']]); // ['s3cret']
 */
export function headerSecrets(headers: HeaderList): readonly string[] {
  return headers
    .filter(([name]) => secretive.test(name))
    .flatMap(([name, value]) => {
      if (/authorization$/iu.test(name)) {
        return [value.replace(/^\S+[ \t]+/u, '')];
      }
      const cookies = /^cookie$/iu.test(name) ? value.split(/; */u) : [];
      const values = cookies.map((pair) => pair.slice(pair.indexOf('=') + 1));
      return [value, ...values.filter(({ length }) => length >= shortestCookie)];
    })
    .filter((secret) => secret !== '');
}
