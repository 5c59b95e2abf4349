import type { JsonValue } from '../json/json-value.ts';
import { applyEdits } from './apply-edits.ts';
import type { Body } from './body.ts';
import type { PlainBody } from './plain-body.ts';

/** The tokens of a plain body, the key in its slot. */
export function plainTokens(body: PlainBody, value: JsonValue = body.fullest): Body {
  return applyEdits(body, value, [])?.tokens ?? [];
}
