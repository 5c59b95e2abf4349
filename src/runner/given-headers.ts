import { findInvalidParameters } from '../contract/check-parameters.ts';
import type { Operation } from '../contract/contract.ts';
import { type HeaderList, headerValue } from '../http/message.ts';

/**
 * Sets the header parameters of an operation to the values that the user gave with `--header`. A value that a case sends
 * although the schema of the parameter does not allow it stays.
 */
export function setGivenHeaders(
  headers: HeaderList,
  operation: Operation | undefined,
  given: HeaderList,
): HeaderList {
  if (given.length === 0 || operation === undefined) return headers;
  let all = headers;
  for (const parameter of operation.parameters) {
    const name = parameter.name.toLowerCase();
    const own = given.filter(([field]) => field.toLowerCase() === name);
    if (parameter.in !== 'header' || own.length === 0) continue;
    const sent = headerValue(all, name);
    const source = { path: {}, query: [], header: () => sent };
    const invalid = findInvalidParameters([parameter], source, { formats: 'ignore', integers: 'by-value' });
    if (sent !== undefined && invalid.length > 0) continue;
    all = [...all.filter(([field]) => field.toLowerCase() !== name), ...own];
  }
  return all;
}
