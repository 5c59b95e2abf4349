import { describeSchemaProblem } from '../schema/describe-schema-problem.ts';
import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';

/**
 * Finds content that the schema of its status and media type does not accept. A value that only leaves its
 * format is advice: `format` asserts by convention alone (JSON Schema 2020-12 validation §7.2.1).
 *
 * @example `"tag": null` where the schema says a string
 */
export const checkResponseSchema: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none' || answer.content.kind !== 'json') {
    return undefined;
  }
  const { json, media } = answer.content;
  const schema = media?.schema;
  if (schema === undefined) {
    return undefined;
  }
  const strict = schema.validator({ formats: 'assert', integers: 'by-value' })(json.value, json.exact);
  if (strict.length === 0) {
    return undefined;
  }
  const lenient = schema.validator({ formats: 'ignore', integers: 'by-value' })(json.value, json.exact);
  const problem = lenient[0] ?? strict[0];
  if (problem === undefined) {
    return undefined;
  }
  const words = describeSchemaProblem({ problem, value: json.value });
  return {
    check: 'response-schema',
    level: lenient.length > 0 ? 'violation' : 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'document',
      pointer: schema.placeOf(problem.schemaPointer),
      quote: `${problem.keyword}: ${words}`,
    },
    expected: `content that its schema accepts: ${words}`,
    received: `${answer.response.status} with content that breaks its schema at ${problem.pointer || 'its root'}`,
    cause: `${answer.response.status} ${problem.pointer.replaceAll(/\/\d+/gu, '/*')} ${problem.keyword}`,
  };
};
