import {
  combinedFaultBodies,
  missingPropertyBodies,
  nullValueBodies,
  outOfBoundsBodies,
  wrongTypeBodies,
} from '../src/arbitrary/invalid-bodies.ts';
import { otherBodyTypes } from '../src/arbitrary/media-types.ts';
import type { Suite } from '../src/runner/suite.ts';
import { bodyProperties, planBodies } from './property.ts';

/** Bodies, in JSON or a form, that the document does not allow. */
export const invalidBodies: Suite = {
  id: 'invalid-bodies',
  title: 'Schema-invalid bodies',
  plan: ({ contract }) =>
    planBodies(
      contract,
      ({ operation, codec, outline: { required, places, bounds }, late }) =>
        bodyProperties(codec?.holds !== 'text' && operation, [
          required && [
            'missing-property',
            'A body without a required property is refused',
            late(60, missingPropertyBodies),
          ],
          places && [
            'wrong-type',
            'A body with a value of another JSON type is refused',
            late(60, wrongTypeBodies),
          ],
          places && [
            'null',
            'A body with null where null is not allowed is refused',
            late(60, nullValueBodies),
          ],
          ['other-body-type', 'A body of another JSON type is refused', late(18, otherBodyTypes)],
          bounds && [
            'out-of-bounds',
            'A body with a value out of its bounds is refused',
            late(60, outOfBoundsBodies),
          ],
          places && ['combinations', 'A body with several faults is refused', late(12, combinedFaultBodies)],
        ]),
      'the schemas of the bodies allow anything',
    ),
};
