import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';

/**
 * Finds content that is sent as JSON and is none: not one JSON text, or not in UTF-8 (RFC 8259 §2, §8.1).
 *
 * @example NaN in an answer of application/json
 */
export const checkResponseJson: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none' || (answer.content.kind !== 'not-json' && answer.content.kind !== 'not-utf8')) {
    return undefined;
  }
  const { content, response } = answer;
  const where =
    content.kind === 'not-json'
      ? `: ${content.problem.reason} (line ${content.problem.line}, column ${content.problem.column})`
      : '';
  return {
    check: 'response-json',
    level: 'violation',
    operation: nameOperation(subject),
    clause:
      content.kind === 'not-json'
        ? { kind: 'rfc', name: 'RFC 8259', section: '2', quote: 'A JSON text is a serialized value' }
        : { kind: 'rfc', name: 'RFC 8259', section: '8.1', quote: 'JSON text … MUST be encoded using UTF-8' },
    expected: 'one JSON text in UTF-8',
    received: `${response.status} with content that is not ${content.kind === 'not-json' ? 'JSON' : 'UTF-8'}${where}`,
    cause: `${response.status} ${content.kind}`,
  };
};
