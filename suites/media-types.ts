import { otherMediaTypes, spelledMediaTypes } from '../src/arbitrary/media-types.ts';
import { mapCases } from '../src/arbitrary/request-case.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { type BodyOperation, bodyOperations, requestProperty, toPlan } from './property.ts';

function propertiesOf({ operation, body }: BodyOperation): readonly Property[] {
  const themes = [
    [
      'other-media-type',
      'A body of a media type that is not declared is refused, or read',
      otherMediaTypes(operation, body),
    ],
    ['spelled-media-type', 'The declared media type is known in every spelling', spelledMediaTypes(body)],
  ] as const;
  return themes.flatMap(([name, title, labelled]) =>
    requestProperty({
      operation,
      name,
      title,
      cases: mapCases(labelled, (one) => buildRequest(operation, one)),
    }),
  );
}

/** The label of a body: Content-Type. */
export const mediaTypes: Suite = {
  id: 'media-types',
  title: 'Media types',
  plan: ({ contract }) => {
    const { operations, reason } = bodyOperations(contract);
    return toPlan(operations.flatMap(propertiesOf), reason);
  },
};
