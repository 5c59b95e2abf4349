/**
 * Whether a media type falls into a range as OpenAPI writes it: `application/json`, `text/*`, any.
 *
 * @param essence - in lower case, without parameters
 * @param range - as the document has it
 */
export function matchesMediaRange(essence: string, range: string): boolean {
  if (range === essence) {
    return true;
  }
  const wanted = range.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (wanted === '*/*' || wanted === essence) {
    return true;
  }
  return wanted.endsWith('/*') && essence.startsWith(wanted.slice(0, -1));
}
