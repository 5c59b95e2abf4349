import type { Judged } from '../../check/judged.ts';
import { isJsonObject } from '../../json/is-json-object.ts';

/**
 * What the one integer in a refusal says: `status` where it is the HTTP status, else its digits.
 *
 * @returns undefined where there is none, or more than one
 */
export function readErrorCode({ answer }: Judged): string | undefined {
  if (answer.kind === 'none' || answer.response.status < 400 || answer.content.kind !== 'json') {
    return undefined;
  }
  const { value } = answer.content.json;
  const numbers = isJsonObject(value)
    ? Object.values(value).filter((member) => typeof member === 'number')
    : [];
  const [code] = numbers;
  if (code === undefined || numbers.length > 1) {
    return undefined;
  }
  return code === answer.response.status ? 'status' : String(code);
}
