import { toJsonNumber } from '../json/to-json-number.ts';
import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { editCases } from './edit-cases.ts';
import type { PlainBody } from './plain-body.ts';

const ends = ['0', '9223372036854775807', '-9223372036854775808'];

/**
 * Valid bodies whose key is zero or an end of int64, as it stands. A service that takes null, or nothing, for zero
 * can do so once in the life of its store, so that these are best sent after all else.
 */
export function endKeys(body: PlainBody): Cases<Body> {
  const { key } = body;
  if (key?.isNumber !== true) {
    return { examples: [], arbitrary: undefined };
  }
  const edits = ends.map(
    (text) => [{ kind: 'put', at: key.pointer, value: toJsonNumber(text), text: [text] }] as const,
  );
  return { examples: editCases({ body, wanted: 'valid', edits }).examples, arbitrary: undefined };
}
