/**
 * Adds header fields; one of the same name that stands there already gives way.
 *
 * @param headers - names and values in turn, as is `further`
 */
export function replaceFields(headers: readonly string[], further: readonly string[]): readonly string[] {
  const names = further.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const kept = headers.filter(
    (_, index) => !names.includes(headers[index - (index % 2)]?.toLowerCase() ?? ''),
  );
  return [...kept, ...further];
}
