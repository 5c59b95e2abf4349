import { jsonCorpus, jsonExtensions, malformedCorpus } from '../src/arbitrary/json-corpus.ts';
import {
  brokenBytes,
  brokenStructures,
  notJsonTexts,
  truncatedTexts,
} from '../src/arbitrary/malformed-bodies.ts';
import { otherNotations } from '../src/arbitrary/media-types.ts';
import type { Suite } from '../src/runner/suite.ts';
import { bodyProperties, planBodies } from './property.ts';

/** Content that is not JSON, although it is sent as JSON. */
export const malformedBodies: Suite = {
  id: 'malformed-bodies',
  title: 'Malformed bodies',
  plan: ({ contract }) =>
    planBodies(contract, ({ operation, codec, late }) =>
      bodyProperties(codec === undefined && operation, [
        ['truncated', 'A body that ends too early is refused', late(60, truncatedTexts)],
        ['not-json', 'A content that is no JSON is refused', late(60, notJsonTexts)],
        [
          'broken-structure',
          'A body with a token missing or miswritten is refused',
          late(60, brokenStructures),
        ],
        [
          'known-extensions',
          'A body in an extension of JSON is refused, or read as what it means',
          late(28, jsonExtensions),
        ],
        [
          'corpus',
          'A body that every parser of JSON must refuse is refused',
          late(jsonCorpus('refused').length, malformedCorpus, false),
        ],
        ['other-notation', 'A body in another notation than JSON is refused', late(3, otherNotations, false)],
        [
          'bytes',
          'A body that is no UTF-8 is refused, or read with its bytes replaced',
          late(15, brokenBytes),
        ],
      ]),
    ),
};
