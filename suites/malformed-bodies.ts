import { jsonExtensions, malformedCorpus } from '../src/arbitrary/json-corpus.ts';
import {
  brokenBytes,
  brokenStructures,
  notJsonTexts,
  truncatedTexts,
} from '../src/arbitrary/malformed-bodies.ts';
import { otherNotations } from '../src/arbitrary/media-types.ts';
import type { Suite } from '../src/runner/suite.ts';
import { bodyProperties, planBodies } from './property.ts';

/** Contents that are no JSON although they are sent as it. */
export const malformedBodies: Suite = {
  id: 'malformed-bodies',
  title: 'Malformed bodies',
  plan: ({ contract }) =>
    planBodies(contract, ({ operation, body }) =>
      bodyProperties(operation, [
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
      ]),
    ),
};
