import type { JsonValue } from '../json/json-value.ts';
import type { Body } from './body.ts';
import { bodyMembers } from './body-members.ts';
import { joinParts } from './join-parts.ts';
import type { PlainBody } from './plain-body.ts';

/** A plain body as `application/x-www-form-urlencoded` writes it. */
export function formNotation(body: PlainBody, value: JsonValue): Body {
  const pairs = bodyMembers(body, value).map(([name, text], index): Body => {
    const start = `${index === 0 ? '' : '&'}${encodeURIComponent(name)}=`;
    return [start, typeof text === 'string' ? encodeURIComponent(text) : text];
  });
  return joinParts(pairs.flat());
}
