import { headerValue } from '../http/header-list.ts';
import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';

/**
 * Finds a header field that the document requires in a response and that is not there
 * (OpenAPI 3.1 §4.8.21).
 *
 * @example 201 without the Location that the document requires
 */
export const checkResponseHeader: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none') {
    return undefined;
  }
  const { response, declared } = answer;
  const missing = declared?.headers.find(
    ({ required, name }) => required && headerValue(response.headers, name) === undefined,
  );
  if (missing === undefined) {
    return undefined;
  }
  return {
    check: 'response-header',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'document',
      pointer: missing.pointer,
      quote: `requires ${missing.name} with ${response.status}`,
    },
    expected: `the header field ${missing.name}`,
    received: `${response.status} without ${missing.name}`,
    cause: `${response.status} ${missing.name.toLowerCase()}`,
  };
};
