import { isJsonObject } from '../json/is-json-object.ts';
import { appendPointer } from '../json/json-pointer.ts';
import type { Body } from './body.ts';
import type { BodyEdit } from './body-edit.ts';
import type { Cases } from './cases.ts';
import { editCases } from './edit-cases.ts';
import type { PlainBody } from './plain-body.ts';
import { valuePlaces } from './value-places.ts';

/** Every way to leave one property out, at every depth. */
export function missingProperties(body: PlainBody): readonly BodyEdit[] {
  return valuePlaces(body.fullest).flatMap(({ at, value }) =>
    isJsonObject(value)
      ? Object.keys(value).map((name): BodyEdit => ({ kind: 'remove', at: appendPointer(at, name) }))
      : [],
  );
}

/** Bodies without one of the properties that the schema requires. */
export function missingPropertyBodies(body: PlainBody): Cases<Body> {
  return editCases({ body, wanted: 'invalid', edits: missingProperties(body).map((edit) => [edit]) });
}
