import { headerValue, type HeaderList } from './header-list.ts';

/**
 * Adds fields to those of a request, after them, leaving out each whose name the request has already.
 *
 * @param headers - as the request has them; they are kept as they are
 * @param defaults - what to add
 */
export function addDefaultHeaders(headers: HeaderList, defaults: HeaderList): HeaderList {
  if (defaults.length === 0) {
    return headers;
  }
  return [...headers, ...defaults.filter(([name]) => headerValue(headers, name) === undefined)];
}
