/**
 * The cookies of a Cookie field (RFC 6265 §4.2.1), quotes around a value taken off.
 *
 * @param field - undefined where there is none
 */
export function parseCookies(field: string | undefined): readonly (readonly [name: string, value: string])[] {
  return (field ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.includes('='))
    .map((pair) => {
      const equals = pair.indexOf('=');
      return [
        pair.slice(0, equals).trim(),
        pair
          .slice(equals + 1)
          .trim()
          .replace(/^"(.*)"$/u, '$1'),
      ];
    });
}
