import type { JsonValue } from '../../json/json-value.ts';

/** A token (RFC 9110 §5.6.2). */
export const tokenForm: RegExp = /^[!#$%&'*+\-.^_`|~\w]+$/u;

/** Whether a value is a token: the name of a method or of a header field (RFC 9110 §5.6.2). */
export function isToken(value: JsonValue): value is string {
  return typeof value === 'string' && tokenForm.test(value);
}
