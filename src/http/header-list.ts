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
  let joined: string | undefined;
  // Asked several times for each exchange, so no list is made.
  for (const [field, value] of headers) {
    if (field.length === wanted.length && field.toLowerCase() === wanted) {
      joined = joined === undefined ? value : `${joined}, ${value}`;
    }
  }
  return joined;
}
