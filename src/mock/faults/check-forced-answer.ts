import type { DocumentProblem } from '../../document/document-problem.ts';
import { closestWord } from '../../errors/closest-word.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer, type JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { checkField } from './check-field.ts';

const known = ['status', 'example', 'retryAfter', 'headers', 'body'];

/** Statuses whose answer has no content (RFC 9110 §15.3.5, §15.3.6, §15.4.5). */
const bodyless = [204, 205, 304];

/** Whether a status can be forced: one that ends an exchange (RFC 9110 §15). */
export function isForcibleStatus(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
}

/** Whether a number can stand in Retry-After (RFC 9110 §10.2.3), within a year. */
export function isRetryAfter(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0 && seconds <= 31_536_000;
}

function checkHeaders(headers: JsonValue, pointer: JsonPointer): readonly DocumentProblem[] {
  if (!isJsonObject(headers)) {
    return [{ pointer, reason: 'must be an object', remedy: 'Write {"X-Name": "value"}' }];
  }
  return Object.entries(headers).flatMap(([name, value]) => {
    const problem = checkField(name, value);
    return problem === undefined
      ? []
      : [{ pointer: appendPointer(pointer, name), reason: problem[0], remedy: problem[1] }];
  });
}

function checkMembers(answer: JsonObject, pointer: JsonPointer): readonly DocumentProblem[] {
  const { status, example, retryAfter, headers, body } = answer;
  const problems: DocumentProblem[] = [];
  function complain(name: string, reason: string, remedy: string): void {
    problems.push({ pointer: appendPointer(pointer, name), reason, remedy });
  }
  if (status === undefined) {
    problems.push({ pointer, reason: 'must have "status"', remedy: 'Give it one, as in {"status": 503}' });
  } else if (!isForcibleStatus(status)) {
    complain('status', 'must be a whole number from 200 to 599', 'Write one as in 503');
  }
  if (example !== undefined && (typeof example !== 'string' || example === '')) {
    complain('example', 'must be the name of an example', 'Name one that the document has for this status');
  }
  if (example !== undefined && body !== undefined) {
    complain('example', 'has no say beside "body"', 'Leave one of them out');
  }
  if (body !== undefined && typeof status === 'number' && bodyless.includes(status)) {
    complain('body', `has no place in an answer ${status}, which has no content`, 'Leave it out');
  }
  if (retryAfter !== undefined && !isRetryAfter(retryAfter)) {
    complain('retryAfter', 'must be whole seconds from 0 to 31536000', 'Write them as in 3');
  }
  return headers === undefined
    ? problems
    : [...problems, ...checkHeaders(headers, appendPointer(pointer, 'headers'))];
}

/**
 * Looks whether an answer can be forced, as {@link import('./fault-rule.ts').ForcedAnswer} describes it.
 *
 * @param pointer - where it stands
 */
export function checkForcedAnswer(answer: JsonValue, pointer: JsonPointer): readonly DocumentProblem[] {
  if (!isJsonObject(answer)) {
    return [{ pointer, reason: 'must be an object', remedy: 'Write {"status": 503}' }];
  }
  const unknown = Object.keys(answer)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = closestWord(name, known);
      return {
        pointer: appendPointer(pointer, name),
        reason: `there is no "${name}"`,
        remedy: near === undefined ? `It takes ${known.join(', ')}` : `Perhaps "${near}" was meant`,
      };
    });
  return [...unknown, ...checkMembers(answer, pointer)];
}
