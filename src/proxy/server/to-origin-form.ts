/** The scheme and authority of a target in absolute form. */
const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/iu;

/**
 * The target of a request as an origin server wants it (RFC 9112 §3.2.1): a client that takes the proxy for one
 * of its own sends it in absolute form (§3.2.2).
 *
 * @returns what is in neither form, such as `*`, as it is
 */
export function toOriginForm(target: string): string {
  const [start] = origin.exec(target) ?? [];
  if (start === undefined) {
    return target;
  }
  const rest = target.slice(start.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
