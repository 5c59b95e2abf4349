/**
 * Whether content of a media type is JSON: `application/json`, `text/json`, or the `+json` suffix
 * (RFC 6839 §3.1).
 *
 * @param essence - in lower case, without parameters
 */
export function isJsonMediaType(essence: string): boolean {
  return essence === 'application/json' || essence === 'text/json' || essence.endsWith('+json');
}
