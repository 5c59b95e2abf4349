import type { HeaderList } from '../../http/header-list.ts';

/**
 * The value of the first field of a name; it makes no list on the way, as it is asked of each exchange.
 *
 * @param name - in lower case
 */
export function firstValue(headers: HeaderList, name: string): string | undefined {
  for (const [field, value] of headers) {
    if (field.length === name.length && field.toLowerCase() === name) {
      return value;
    }
  }
  return undefined;
}
