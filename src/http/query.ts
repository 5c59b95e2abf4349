/** A member of a query, its name decoded and its value as it was sent. */
export type QueryMember = readonly [name: string, rawValue: string];

/** Decodes a text of a query as forms encode it: a plus is a space. What is no valid encoding stays. */
export function decodeQueryText(text: string): string {
  return decodePathText(text.replaceAll('+', ' '));
}

/** What stands before and behind the first equals sign; where there is none, all of it stands before. */
export function cutAtEquals(text: string): readonly [name: string, value: string] {
  const equals = text.indexOf('=');
  return equals === -1 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
}

/**
 * Cuts the query of a request target, `/orders?limit=5&tag=a%2Cb`, into its members. Values stay encoded, so
 * that a separating comma differs from a comma in a value (RFC 6570 §3.2.8).
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

/** Decodes a text of a path (RFC 3986 §2.1). What is no valid encoding is left as it is. */
export function decodePathText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A delimiter that was sent encoded separates too: clients have to encode a space and a bar (OpenAPI 3.1.1 §4.8.12.4). */
export const delimiters: Readonly<Record<string, RegExp>> = {
  spaceDelimited: /%20|\+| /u,
  pipeDelimited: /%7C|\|/iu,
};
