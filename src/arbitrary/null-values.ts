import type { Body } from './body.ts';
import type { BodyEdit } from './body-edit.ts';
import type { Cases } from './cases.ts';
import { editCases } from './edit-cases.ts';
import type { PlainBody } from './plain-body.ts';
import { valuePlaces } from './value-places.ts';

/** Every way to put null at one place inside a body that holds something else. */
export function nullValues(body: PlainBody): readonly BodyEdit[] {
  return valuePlaces(body.fullest)
    .slice(1)
    .filter(({ value }) => value !== null)
    .map(({ at }): BodyEdit => ({ kind: 'put', at, value: null }));
}

/** Bodies in which one property that may not be null is. */
export function nullValueBodies(body: PlainBody): Cases<Body> {
  return editCases({ body, wanted: 'invalid', edits: nullValues(body).map((edit) => [edit]) });
}
