/** Header fields in the order and spelling in which they travelled. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/**
 * The value of a field, several of one name joined with a comma (RFC 9110 §5.3).
 *
 * @param name - in any case
 * @returns undefined where there is no such field
 */
export function headerValue(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const values = headers.filter(([field]) => field.toLowerCase() === wanted).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}
