import { jsonCorpus, jsonExtensions, malformedCorpus } from '../src/arbitrary/json-corpus.ts';
import {
  brokenBytes,
  brokenNotation,
  brokenStructures,
  notJsonTexts,
  truncatedTexts,
} from '../src/arbitrary/malformed-bodies.ts';
import { otherNotations } from '../src/arbitrary/media-types.ts';
import type { Body } from '../src/arbitrary/request-case.ts';
import type { Suite } from '../src/runner/suite.ts';
import { bodyProperties, type PlannedBody, planBodies, type Theme } from './property.ts';

/** Content that is not in the notation that its Content-Type names. */
export const malformedBodies: Suite = {
  id: 'malformed-bodies',
  title: 'Malformed bodies',
  plan: ({ contract }) =>
    planBodies(contract, ({ operation, codec, place, late }) =>
      bodyProperties(operation, [
        codec?.holds === 'value' && [
          'notation',
          'A body that is malformed in its notation is refused',
          late(12, brokenNotation, false),
        ],
        ...(codec === undefined ? jsonThemes(late, place) : []),
      ]),
    ),
};

/** The ways in which JSON is broken. */
function jsonThemes(late: PlannedBody['late'], place: number): readonly Theme<Body>[] {
  return [
    ['truncated', 'A body that ends too early is refused', late(60, truncatedTexts)],
    ['not-json', 'A content that is no JSON is refused', late(60, notJsonTexts)],
    ['broken-structure', 'A body with a token missing or miswritten is refused', late(60, brokenStructures)],
    [
      'known-extensions',
      'A body in an extension of JSON is refused, or read as what it means',
      late(28, jsonExtensions),
    ],
    [
      'corpus',
      'A body that every parser of JSON must refuse is refused',
      late(jsonCorpus('refused', place).length, (body) => malformedCorpus(body, place), false),
    ],
    ['other-notation', 'A body in another notation than JSON is refused', late(3, otherNotations, false)],
    ['bytes', 'A body that is no UTF-8 is refused, or read with its bytes replaced', late(15, brokenBytes)],
  ];
}
