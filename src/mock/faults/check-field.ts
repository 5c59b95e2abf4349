import type { JsonValue } from '../../json/json-value.ts';
import { framingFields } from './framing-fields.ts';
import { tokenForm } from './is-token.ts';

/**
 * Looks whether a header field can be sent (RFC 9110 §5).
 *
 * @returns a reason and a remedy where it cannot
 */
export function checkField(
  name: string,
  value: JsonValue,
): readonly [reason: string, remedy: string] | undefined {
  if (!tokenForm.test(name)) {
    return [`"${name}" is no name of a header field`, 'Write it as in "X-Request-Id"'];
  }
  if (framingFields.includes(name.toLowerCase())) {
    return [
      'the mock itself says how an answer is framed',
      'Leave it out; "truncate" makes Content-Length lie',
    ];
  }
  return typeof value === 'string' && /^[\t\u0020-\u007E\u0080-\u00FF]*$/u.test(value)
    ? undefined
    : ['must be a text without line breaks, in Latin-1', 'Encode what it holds, as with percent signs'];
}
