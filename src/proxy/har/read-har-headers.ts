import type { HeaderList } from '../../http/header-list.ts';
import { itemsOf, textOf } from './har-value.ts';

/**
 * Reads header fields: those of HTTP/2 that begin with a colon are left out, which are no fields but the start of the
 * message (RFC 9113 §8.3), and several of one name that a browser wrote as lines of one are taken apart.
 *
 * @param message - a request or a response of a HAR file
 */
export function readHarHeaders(message: unknown): HeaderList {
  return itemsOf(message, 'headers').flatMap((field) => {
    const name = textOf(field, 'name') ?? '';
    const value = textOf(field, 'value') ?? '';
    return name === '' || name.startsWith(':')
      ? []
      : value.split('\n').map((line) => [name, line.trim()] as const);
  });
}
