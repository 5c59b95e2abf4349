import type { JsonValue } from '../json/json-value.ts';
import type { Body } from './body.ts';
import { bodyMembers } from './body-members.ts';
import { joinParts } from './join-parts.ts';
import type { PlainBody } from './plain-body.ts';

/** What stands between the parts; the value of the parameter `boundary`. */
export const multipartBoundary = 'cloche-boundary';

/** A plain body as `multipart/form-data` writes it (RFC 7578 §4). */
export function multipartNotation(body: PlainBody, value: JsonValue): Body {
  const parts = bodyMembers(body, value).map(([name, text]): Body => {
    return [`--${multipartBoundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`, text, '\r\n'];
  });
  return joinParts([...parts.flat(), `--${multipartBoundary}--\r\n`]);
}
