import fc from 'fast-check';
import { applyEdits } from './apply-edits.ts';
import type { Body } from './body.ts';
import type { BodyEdit } from './body-edit.ts';
import type { Cases } from './cases.ts';
import { editCases } from './edit-cases.ts';
import { judgeValue } from './judge-value.ts';
import { missingProperties } from './missing-properties.ts';
import { nullValues } from './null-values.ts';
import { boundEdits } from './out-of-bounds.ts';
import type { PlainBody } from './plain-body.ts';
import { wrongTypes } from './wrong-types.ts';

/** Bodies with several faults at once. */
export function combinedFaultBodies(body: PlainBody): Cases<Body> {
  const isFault = (edit: BodyEdit): boolean => {
    const edited = applyEdits(body, body.fullest, [edit]);
    return edited !== undefined && judgeValue(body.schema, edited.value) === 'invalid';
  };
  const missing = missingProperties(body).filter(isFault);
  const nulls = nullValues(body).filter(isFault);
  const wrong = wrongTypes(body).filter(isFault);
  const all = [...missing, ...nulls, ...wrong, ...boundEdits(body).filter(isFault)];
  if (new Set(all.map(({ at }) => at)).size < 2) {
    return { examples: [], arbitrary: undefined };
  }
  const places = new Set(wrong.map(({ at }) => at));
  const firstWrong = [...places].flatMap((at) => wrong.find((edit) => edit.at === at) ?? []);
  const edits: (readonly BodyEdit[])[] = [
    // One property missing beside another of the wrong type, and everything wrong at once.
    ...missing.flatMap((gone) =>
      firstWrong.filter(({ at }) => !at.startsWith(gone.at)).map((other) => [other, gone]),
    ),
    firstWrong.filter(({ at }) => at.lastIndexOf('/') === 0),
    nulls.filter(({ at }) => at.lastIndexOf('/') === 0),
  ];
  return editCases({
    body,
    wanted: 'invalid',
    edits: edits.slice(-12).toReversed(),
    random: fc.uniqueArray(fc.constantFrom(...all), { selector: ({ at }) => at, minLength: 2, maxLength: 4 }),
  });
}
