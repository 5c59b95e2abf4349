import { findInvalidParameters } from '../contract/check-parameters.ts';
import type { Operation } from '../contract/contract.ts';
import { findIfMatch } from '../contract/request-facts.ts';
import type { HeaderList } from '../http/message.ts';
import type { RequestCase } from './request-case.ts';

/** The If-Match of a case that names the ETag of its item. The ETag is inserted when the request is sent. */
export const itemTag = '{ETag}';

/** Returns whether a request names the ETag of its item. */
export function namesTag({ headers }: Pick<RequestCase, 'headers'>): boolean {
  return headers.some(([, value]) => value === itemTag);
}

/**
 * Inserts the ETag of an item into If-Match.
 *
 * @param values - the ETag and its substitutes; the first one that the schema of the parameter accepts is sent
 */
export function insertTag(
  headers: HeaderList,
  operation: Operation,
  values: readonly (string | undefined)[],
): HeaderList {
  const parameter = findIfMatch(operation);
  const isValid = (value: string | undefined): boolean => {
    const source = { path: {}, query: [], header: () => value };
    const how = { formats: 'assert', integers: 'by-value' } as const;
    return (
      value !== undefined && findInvalidParameters(parameter ? [parameter] : [], source, how).length === 0
    );
  };
  return headers.map(([name, value]) => [name, value === itemTag ? (values.find(isValid) ?? '*') : value]);
}
