import type { RequestHead } from '../../steps/request-head.ts';

/** The host that a request names: that of its target where it is a whole URL, else its Host (RFC 9112 §3.2). */
export function hostOf(head: RequestHead): string | undefined {
  const [, authority] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/iu.exec(head.target) ?? [];
  return authority ?? head.header('host');
}
