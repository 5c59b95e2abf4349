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

/** Bodies that are JSON, and that the document does not allow. */
export const invalidBodies: Suite = {
  id: 'invalid-bodies',
  title: 'Schema-invalid bodies',
  plan: ({ contract }) =>
    planBodies(
      contract,
      ({ operation, body }) =>
        bodyProperties(operation, [
          ['missing-property', 'A body without a required property is refused', missingPropertyBodies(body)],
          ['wrong-type', 'A body with a value of another JSON type is refused', wrongTypeBodies(body)],
          ['null', 'A body with null where null is not allowed is refused', nullValueBodies(body)],
          ['other-body-type', 'A body of another JSON type is refused', otherBodyTypes(body)],
          ['out-of-bounds', 'A body with a value out of its bounds is refused', outOfBoundsBodies(body)],
          ['combinations', 'A body with several faults is refused', combinedFaultBodies(body)],
        ]),
      'the schemas of the bodies allow anything',
    ),
};
