import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonValue } from '../json/json-value.ts';

/** Random letters, too many of them to be anybody's default. */
const form = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z]{6,20}$/u;

/** Whether a text gives away where it comes from, were it to turn up in another answer. */
export function isTelltale(text: string): boolean {
  return form.test(text);
}

/** The texts at the top of a body that give away where they come from. */
export function telltaleTexts(value: JsonValue): readonly string[] {
  return isJsonObject(value)
    ? Object.values(value).filter(
        (member): member is string => typeof member === 'string' && isTelltale(member),
      )
    : [];
}
