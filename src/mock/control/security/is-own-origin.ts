/**
 * Whether the value of Origin is the host that the request names: a page that the mock itself served. `null` is no
 * page's own (RFC 6454 §7.3).
 */
export function isOwnOrigin(origin: string, host: string): boolean {
  if (!/^https?:\/\//u.test(origin) || !URL.canParse(origin)) {
    return false;
  }
  const { protocol, host: page } = new URL(origin);
  // A URL leaves out the port that its scheme has anyway, where Host may name it.
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === page;
}
