import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonValue } from '../json/json-value.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { plainKey } from './key-slot.ts';
import type { PlainBody } from './plain-body.ts';
import type { BodyPart } from './request-case.ts';

/** A member of a plain body as notations without types write it: its name, and its value as bare text. */
export type BodyMember = readonly [name: string, text: BodyPart];

/** The members of a plain body, the key in its slot; none where it is no object. */
export function bodyMembers(body: PlainBody, value: JsonValue): readonly BodyMember[] {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return entries.map(([name, member]) => {
    if (name === body.key?.property) {
      return [name, plainKey];
    }
    return [name, typeof member === 'string' ? member : stringifyJson(member)];
  });
}
