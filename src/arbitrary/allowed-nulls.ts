import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { editCases } from './edit-cases.ts';
import { nullValues } from './null-values.ts';
import type { PlainBody } from './plain-body.ts';

/**
 * Valid bodies in which one value is null: `nullable` of OpenAPI 3.0, the type `null` of 3.1, or a list of
 * values with null in it. A key is never null, as it is drawn as the request leaves.
 */
export function allowedNullBodies(body: PlainBody): Cases<Body> {
  const edits = nullValues(body).filter(({ at }) => at !== body.key?.pointer);
  return editCases({ body, wanted: 'valid', edits: edits.map((edit) => [edit]) });
}
