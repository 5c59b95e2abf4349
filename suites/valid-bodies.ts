import fc from 'fast-check';
import { ambiguousBodies } from '../src/arbitrary/ambiguous-bodies.ts';
import { jsonCorpus, validCorpus } from '../src/arbitrary/json-corpus.ts';
import { keyClasses, plainBodies } from '../src/arbitrary/plain-body.ts';
import { type Body, type Cases, mapCases, type RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import { endKeys, extremeLists, extremeNumbers, extremeShapes } from '../src/arbitrary/unusual-bodies.ts';
import { extremeStrings } from '../src/arbitrary/unusual-strings.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import {
  bodyProperties,
  type BodyOperation,
  mostPlainRequests,
  planBodies,
  type PlannedBody,
  plainRequests,
  requestProperty,
  type Theme,
} from './property.ts';

function framedRequests({ operation, body }: BodyOperation): Cases<RequestCase> {
  const framings = ['chunked', 'several-packets'] as const;
  const { examples: plain, arbitrary } = plainBodies(body);
  const examples = plain
    .slice(0, 1)
    .flatMap((one) => framings.map((framing) => buildRequest(operation, { body: one, framing })));
  // Packets are sent with pauses between them, so few of the random bodies use them.
  const framing = fc.oneof(
    { weight: 9, arbitrary: fc.constant('chunked' as const) },
    { weight: 1, arbitrary: fc.constant('several-packets' as const) },
  );
  const random =
    arbitrary &&
    fc
      .tuple(arbitrary, framing)
      .map(([one, framed]) => buildRequest(operation, { body: one, framing: framed }));
  return { examples, arbitrary: random };
}

function propertiesOf({ operation, codec, outline, place, late }: PlannedBody): readonly Property[] {
  const unusual = (name: string, what: string, bodies: Cases<Body>): Theme<Body> => [
    name,
    `A valid body ${what} is accepted, or refused as the document declares`,
    bodies,
  ];
  const isCreate = operation.kind.kind === 'create';
  const isJson = codec === undefined;
  return [
    // The suite `samples` sends the plain bodies of every other operation.
    ...(isCreate
      ? requestProperty(operation, [
          'plain',
          'A plain valid body is accepted',
          late(mostPlainRequests(operation), () => plainRequests(operation)),
        ])
      : []),
    ...bodyProperties(operation, [
      outline.texts && unusual('extreme-strings', 'with an unusual text', late(80, extremeStrings)),
      outline.numbers && unusual('extreme-numbers', 'with an unusual number', late(60, extremeNumbers)),
    ]),
    ...(keyClasses(operation).size < 2
      ? []
      : requestProperty(
          operation,
          [
            'end-keys',
            'A valid body whose id is zero or an end of its range is accepted, or refused as the document declares',
            mapCases(late(3, endKeys, false), (one) => buildRequest(operation, { body: one })),
          ],
          { phase: 'last' },
        )),
    ...bodyProperties(operation, [
      outline.lists &&
        unusual('extreme-lists', 'with an empty or a long list', late(60, extremeLists, false)),
      codec?.holds !== 'text' && unusual('extreme-shapes', 'of an unusual shape', late(100, extremeShapes)),
      isJson &&
        unusual(
          'corpus',
          'with JSON that readers trip over',
          late(
            [...jsonCorpus('accepted', place), ...jsonCorpus('open', place)].length,
            (body) => validCorpus(body, place),
            false,
          ),
        ),
    ]),
    ...requestProperty(operation, [
      'framing',
      'A plain body is read however it is framed',
      late(2, (_, target) => framedRequests(target)),
    ]),
    ...bodyProperties(operation, [
      isJson && [
        'ambiguous',
        'A body that JSON parsers disagree about is accepted or refused with a declared response',
        late(53, ambiguousBodies),
      ],
    ]),
  ];
}

/** Bodies that the document allows, the plain ones first. */
export const validBodies: Suite = {
  id: 'valid-bodies',
  title: 'Valid bodies',
  plan: ({ contract }) => planBodies(contract, propertiesOf),
};
