import fc from 'fast-check';
import { ambiguousBodies } from '../src/arbitrary/ambiguous-bodies.ts';
import { validCorpus } from '../src/arbitrary/json-corpus.ts';
import { plainBodies } from '../src/arbitrary/plain-body.ts';
import { type Body, type Cases, mapCases, type RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import { endKeys, extremeLists, extremeNumbers, extremeShapes } from '../src/arbitrary/unusual-bodies.ts';
import { extremeStrings } from '../src/arbitrary/unusual-strings.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { bodyProperties, type BodyOperation, planBodies, requestProperty, type Theme } from './property.ts';

function framedRequests({ operation, body }: BodyOperation): Cases<RequestCase> {
  const framings = ['chunked', 'several-packets'] as const;
  const { examples: plain, arbitrary } = plainBodies(body);
  const examples = plain
    .slice(0, 1)
    .flatMap((one) => framings.map((framing) => buildRequest(operation, { body: one, framing })));
  // Packets are sent with pauses between them, so few of the random bodies are.
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

function propertiesOf(target: BodyOperation): readonly Property[] {
  const { operation, body } = target;
  const unusual = (name: string, what: string, bodies: Cases<Body>): Theme<Body> => [
    name,
    `A valid body ${what} is accepted, or refused as the document declares`,
    bodies,
  ];
  const isCreate = operation.kind.kind === 'create';
  return [
    // The suite of samples sends the plain bodies of every other operation.
    ...(isCreate
      ? bodyProperties(operation, [['plain', 'A plain valid body is accepted', plainBodies(body)]])
      : []),
    ...bodyProperties(operation, [
      unusual('extreme-strings', 'with an unusual text', extremeStrings(body)),
      unusual('extreme-numbers', 'with an unusual number', extremeNumbers(body)),
    ]),
    ...requestProperty(
      operation,
      [
        'end-keys',
        'A valid body whose id is zero or an end of its range is accepted, or refused as the document declares',
        mapCases(endKeys(body), (one) => buildRequest(operation, { body: one })),
      ],
      { turn: 'last' },
    ),
    ...bodyProperties(operation, [
      unusual('extreme-lists', 'with an empty or a long list', extremeLists(body)),
      unusual('extreme-shapes', 'of an unusual shape', extremeShapes(body)),
      unusual('corpus', 'with JSON that readers trip over', validCorpus(body)),
    ]),
    ...requestProperty(operation, [
      'framing',
      'A plain body is read however it is framed',
      framedRequests(target),
    ]),
    ...bodyProperties(operation, [
      [
        'contested',
        'A body that JSON parsers disagree about is accepted or refused with a declared response',
        ambiguousBodies(body),
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
