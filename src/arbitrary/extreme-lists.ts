import type { BodyEdit } from './body-edit.ts';
import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { editCases } from './edit-cases.ts';
import type { PlainBody } from './plain-body.ts';
import { repeatItem } from './repeat-item.ts';
import { valuePlaces } from './value-places.ts';

/** How many items are tried: none, and more than limits usually allow. */
const counts = [0, 10, 101, 1_001, 33];

/** Valid bodies in which one list is empty, or longer than anybody would send. */
export function extremeLists(body: PlainBody): Cases<Body> {
  const lists = valuePlaces(body.fullest).flatMap(({ at, value }) =>
    Array.isArray(value) ? [{ at, item: value[0] }] : [],
  );
  const edits = counts.flatMap((count) =>
    lists.flatMap(({ at, item }): (readonly BodyEdit[])[] =>
      item === undefined
        ? []
        : repeatItem(item, count).map((list) => [{ kind: 'put', at, value: [...list] }]),
    ),
  );
  return { examples: editCases({ body, wanted: 'valid', edits }).examples, arbitrary: undefined };
}
