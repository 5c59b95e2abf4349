/** A member of a query, its name decoded and its value as it was sent. */
export type QueryMember = readonly [name: string, rawValue: string];

/**
 * Decodes a text of a query as forms encode it: a plus is a space. What is no valid encoding is left as it is.
 */
export function decodeQueryText(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/**
 * Cuts the query of a request target into its members. Values stay encoded, so that a comma that separates
 * can be told from one that is meant (RFC 6570 §3.2.8).
 *
 * @param target - `/orders?limit=5&tag=a%2Cb`
 */
export function parseQuery(target: string): readonly QueryMember[] {
  const start = target.indexOf('?');
  if (start === -1) {
    return [];
  }
  return target
    .slice(start + 1)
    .split('&')
    .filter((member) => member !== '')
    .map((member) => {
      const equals = member.indexOf('=');
      return equals === -1
        ? [decodeQueryText(member), '']
        : [decodeQueryText(member.slice(0, equals)), member.slice(equals + 1)];
    });
}
