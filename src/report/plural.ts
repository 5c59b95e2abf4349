/**
 * A count and its noun: `1 case`, `2,042 cases`.
 *
 * @param many - the noun in the plural, where it does not end in s
 */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
