import type { Body } from './body.ts';

/**
 * Adds a property that no schema declares to the text of an object, at its end.
 *
 * @param tokens - of an object; what is none stays as it is
 * @param value - the text of the property's value, JSON or not
 */
export function withExtraMember(tokens: Body, value: string): Body {
  if (tokens[0] !== '{' || tokens.at(-1) !== '}') {
    return tokens;
  }
  const comma = tokens.length > 2 ? [','] : [];
  return [...tokens.slice(0, -1), ...comma, `"extra":${value}`, '}'];
}
