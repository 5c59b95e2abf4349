import { headerValue } from '../http/header-list.ts';
import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { findInvalidHeader } from './find-invalid-header.ts';

/**
 * Finds a header field that the document requires in a response and that is not there, and one whose value
 * its schema does not accept (OpenAPI 3.1 §4.8.21).
 *
 * @example 201 without the Location that the document requires
 */
export const checkResponseHeader: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none' || answer.declared === undefined) {
    return undefined;
  }
  const { response, declared } = answer;
  const { status, headers } = response;
  const finding = {
    check: 'response-header',
    level: 'violation',
    operation: nameOperation(subject),
  } as const;
  for (const header of declared.headers) {
    const { name, required, pointer, schema } = header;
    if (required && headerValue(headers, name) === undefined) {
      return {
        ...finding,
        clause: { kind: 'document', pointer, quote: `requires ${name} with ${status}` },
        expected: `the header field ${name}`,
        received: `${status} without ${name}`,
        cause: `${status} ${name.toLowerCase()}`,
      };
    }
    const invalid = findInvalidHeader(header, headers);
    if (invalid !== undefined) {
      const { keyword, schemaPointer } = invalid.problem;
      return {
        ...finding,
        clause: {
          kind: 'document',
          pointer: schema?.placeOf(schemaPointer) ?? pointer,
          quote: `${keyword}: ${invalid.reason}`,
        },
        expected: `a value that its schema accepts: ${invalid.reason}`,
        received: `${status} whose ${name} breaks its schema`,
        cause: `${status} ${name.toLowerCase()} ${keyword}`,
      };
    }
  }
  return undefined;
};
