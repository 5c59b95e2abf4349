/** What stands between separators, but for those in quotes. */
const memberForm = /(?:[^,;"]|"(?:[^"\\]|\\.)*"?)+/gu;
/** A name, perhaps with a value. Nothing in it takes longer the more blanks there are. */
const pairForm = /^([!#$%&'*+\-.^_`|~\w]+)(?:\s*=(?:\s*"((?:[^"\\]|\\.)*)"|([^"]*)))?$/u;

/** A name in lower case and its value, if it has one; a text that cannot be read stands as a name that is no token. */
export type Member = readonly [name: string, value: string | undefined];

/** The text of a field whose bytes are UTF-8, as curl sends it; else it is Latin-1 (RFC 9110 §5.5). */
function decode(field: string): string {
  if (!/[\u0080-\u00FF]/u.test(field)) {
    return field;
  }
  const bytes = Uint8Array.from(field, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return field;
  }
}

/**
 * Splits a field like `code=404, example="not there"` into its members. Their value may be in quotes, and need not be a
 * token, as an example may have a name with blanks in it. A semicolon separates as a comma does: whoever writes one
 * means both sides of it.
 */
export function parseMembers(field: string): readonly Member[] {
  return (decode(field).match(memberForm) ?? [])
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text): Member => {
      const [, name, quoted, plain] = pairForm.exec(text) ?? [];
      return name === undefined
        ? [text, undefined]
        : [name.toLowerCase(), quoted?.replaceAll(/\\(.)/gu, '$1') ?? plain?.trim()];
    });
}
