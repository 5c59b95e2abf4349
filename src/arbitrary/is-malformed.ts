import { decodeUtf8 } from '../http/decode-utf8.ts';
import { isJson } from '../json/is-json.ts';
import type { Body } from './body.ts';
import { renderBody } from './render-body.ts';

/** Deep enough that depth alone is no reason. */
const maxDepth = 10_000;

/** Whether a content is no JSON text in UTF-8 (RFC 8259 §8.1), whatever the keys in it. */
export function isMalformed(body: Body): boolean {
  // A digit: where a key is a text, its slot is a whole token and any other token will do.
  const text = decodeUtf8(renderBody(body, () => '7'));
  return text === undefined || !isJson(text, maxDepth);
}
