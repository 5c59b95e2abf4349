import { otherMediaTypes, spelledMediaTypes } from '../src/arbitrary/media-types.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import type { Suite } from '../src/runner/suite.ts';
import { planBodies, requestProperties } from './property.ts';

/** The media type of a body: Content-Type. */
export const mediaTypes: Suite = {
  id: 'media-types',
  title: 'Media types',
  plan: ({ contract }) =>
    planBodies(contract, ({ operation, late }) =>
      requestProperties(
        operation,
        [
          [
            'other-media-type',
            'A body of a media type that is not declared is refused, or read',
            late(40, (body) => otherMediaTypes(operation, body)),
          ],
          [
            'spelled-media-type',
            'The declared media type is known in every spelling',
            late(9, spelledMediaTypes),
          ],
        ],
        (labelled) => buildRequest(operation, labelled),
      ),
    ),
};
