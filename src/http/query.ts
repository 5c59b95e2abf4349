/** A member of a query: its decoded name and its raw value. */
export type QueryMember = readonly [name: string, rawValue: string];

/** Decodes a text of a query with form encoding: a plus is a space. Invalid encoding is left unchanged. */
export function decodeQueryText(text: string): string {
  return decodePathText(text.replaceAll('+', ' '));
}

/** Splits a text at the first equals sign; without one, the whole text is the name. */
export function cutAtEquals(text: string): readonly [name: string, value: string] {
  const equals = text.indexOf('=');
  return equals === -1 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
}

/**
 * Splits the query of a request target, `/orders?limit=5&tag=a%2Cb`, into its members. Values stay encoded, to
 * distinguish a separating comma from a comma in a value (RFC 6570 §3.2.8).
 */
export function parseQuery(target: string): readonly QueryMember[] {
  const start = target.indexOf('?');
  if (start === -1) return [];
  return target
    .slice(start + 1)
    .split('&')
    .filter((member) => member !== '')
    .map((member) => {
      const [name, value] = cutAtEquals(member);
      return [decodeQueryText(name), value];
    });
}

/** Decodes a text of a path (RFC 3986 §2.1). Invalid encoding is left unchanged. */
export function decodePathText(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Delimiters, also percent-encoded: clients must encode a space and a bar (OpenAPI 3.1.1 §4.8.12.4). */
export const delimiters: Readonly<Record<string, RegExp>> = {
  spaceDelimited: /%20|\+| /u,
  pipeDelimited: /%7C|\|/iu,
};
