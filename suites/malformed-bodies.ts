import { brokenBytes } from '../src/arbitrary/broken-bytes.ts';
import { brokenStructures } from '../src/arbitrary/broken-structures.ts';
import { jsonExtensions } from '../src/arbitrary/json-extensions.ts';
import { malformedCorpus } from '../src/arbitrary/malformed-corpus.ts';
import { notJsonTexts } from '../src/arbitrary/not-json-texts.ts';
import { otherNotations } from '../src/arbitrary/other-notations.ts';
import { truncatedTexts } from '../src/arbitrary/truncated-texts.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { bodyCases } from './body-cases.ts';
import { type BodyOperation, bodyOperations } from './body-operations.ts';
import { requestProperty } from './request-property.ts';
import { toPlan } from './to-plan.ts';

function propertiesOf({ operation, body }: BodyOperation): readonly Property[] {
  const themes = [
    ['truncated', 'A body that ends too early is refused', truncatedTexts(body)],
    ['not-json', 'A content that is no JSON is refused', notJsonTexts()],
    ['broken-structure', 'A body with a token missing or miswritten is refused', brokenStructures(body)],
    [
      'known-extensions',
      'A body in an extension of JSON is refused, or read as what it means',
      jsonExtensions(body),
    ],
    ['corpus', 'A body that every parser of JSON must refuse is refused', malformedCorpus(body)],
    ['other-notation', 'A body in another notation than JSON is refused', otherNotations(body)],
    ['bytes', 'A body that is no UTF-8 is refused, or read with its bytes replaced', brokenBytes(body)],
  ] as const;
  return themes.flatMap(([name, title, bodies]) =>
    requestProperty({ operation, name, title, cases: bodyCases(operation, bodies) }),
  );
}

/** Contents that are no JSON although they are sent as it. */
export const malformedBodies: Suite = {
  id: 'malformed-bodies',
  title: 'Malformed bodies',
  plan: ({ contract }) => {
    const { operations, reason } = bodyOperations(contract);
    return toPlan(operations.flatMap(propertiesOf), reason);
  },
};
