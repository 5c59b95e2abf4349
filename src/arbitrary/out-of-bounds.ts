import { isJsonObject } from '../json/is-json-object.ts';
import { appendPointer } from '../json/json-pointer.ts';
import type { Body } from './body.ts';
import type { BodyEdit } from './body-edit.ts';
import type { Cases } from './cases.ts';
import { editCases } from './edit-cases.ts';
import type { PlainBody } from './plain-body.ts';
import { schemasAt } from './schemas-at.ts';
import { valuePlaces } from './value-places.ts';
import { valuesOutside } from './values-outside.ts';

/**
 * Every way to take one value out of what its schema bounds, and to add a property that no schema declares.
 * A value that is not out of bounds after all is among them too.
 */
export function boundEdits(body: PlainBody): readonly BodyEdit[] {
  const root = body.schema?.schema ?? true;
  return valuePlaces(body.fullest).flatMap(({ at, value }): BodyEdit[] => {
    const values = at === '' ? [] : valuesOutside(value, schemasAt(root, at));
    const extras = isJsonObject(value) ? ['extra', '__proto__'] : [];
    return [
      ...values.map((other): BodyEdit => ({ kind: 'put', at, value: other })),
      ...extras.map((name): BodyEdit => ({ kind: 'put', at: appendPointer(at, name), value: 'text' })),
    ];
  });
}

/** Bodies in which one value has the right type and is out of its bounds. */
export function outOfBoundsBodies(body: PlainBody): Cases<Body> {
  return editCases({ body, wanted: 'invalid', edits: boundEdits(body).map((edit) => [edit]) });
}
