import type { Body } from './body.ts';
import type { BodyPart } from './request-case.ts';

/** Joins neighbouring texts of a content to one piece, so that a case is short to read and to send. */
export function joinParts(parts: Body): Body {
  const joined: BodyPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') {
      joined[joined.length - 1] = last + part;
    } else if (part !== '') {
      joined.push(part);
    }
  }
  return joined;
}
