import { pathOf } from '../steps/path-of.ts';

/**
 * Whether a request leads to what is mounted under a prefix.
 *
 * @param target - as it was sent: path and query, or a whole URL (RFC 9112 §3.2)
 */
export function isMounted(target: string, prefix: string): boolean {
  if (target.charCodeAt(0) === 0x2f && !target.startsWith(prefix)) {
    return false;
  }
  const path = pathOf(target);
  return path === prefix || path.startsWith(`${prefix}/`);
}
