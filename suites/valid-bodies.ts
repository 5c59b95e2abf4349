import fc from 'fast-check';
import { contestedBodies } from '../src/arbitrary/ambiguous-bodies.ts';
import { validCorpus } from '../src/arbitrary/json-corpus.ts';
import { plainBodies } from '../src/arbitrary/plain-body.ts';
import type { Cases, RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import { endKeys, extremeLists, extremeNumbers, extremeShapes } from '../src/arbitrary/unusual-bodies.ts';
import { extremeStrings } from '../src/arbitrary/unusual-strings.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { bodyCases, type BodyOperation, bodyOperations, requestProperty, toPlan } from './property.ts';

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
  const isCreate = operation.kind.kind === 'create';
  return [
    // The suite of samples sends the plain bodies of every other operation.
    ...(isCreate
      ? requestProperty({
          operation,
          name: 'plain',
          title: 'A plain valid body is accepted',
          cases: bodyCases(operation, plainBodies(body)),
        })
      : []),
    ...requestProperty({
      operation,
      name: 'extreme-strings',
      title: 'A valid body with an unusual text is accepted, or refused as the document declares',
      cases: bodyCases(operation, extremeStrings(body)),
    }),
    ...requestProperty({
      operation,
      name: 'extreme-numbers',
      title: 'A valid body with an unusual number is accepted, or refused as the document declares',
      cases: bodyCases(operation, extremeNumbers(body)),
    }),
    ...requestProperty({
      operation,
      name: 'end-keys',
      title:
        'A valid body whose key is zero or an end of its range is accepted, or refused as the document declares',
      cases: bodyCases(operation, endKeys(body)),
      turn: 'last',
    }),
    ...requestProperty({
      operation,
      name: 'extreme-lists',
      title: 'A valid body with an empty or a long list is accepted, or refused as the document declares',
      cases: bodyCases(operation, extremeLists(body)),
    }),
    ...requestProperty({
      operation,
      name: 'extreme-shapes',
      title: 'A valid body of an unusual shape is accepted, or refused as the document declares',
      cases: bodyCases(operation, extremeShapes(body)),
    }),
    ...requestProperty({
      operation,
      name: 'corpus',
      title: 'A valid body with JSON that readers trip over is accepted, or refused as the document declares',
      cases: bodyCases(operation, validCorpus(body)),
    }),
    ...requestProperty({
      operation,
      name: 'framing',
      title: 'A plain body is read however it is framed',
      cases: framedRequests(target),
    }),
    ...requestProperty({
      operation,
      name: 'contested',
      title: 'A body that readers of JSON disagree about is accepted or refused, with a declared answer',
      cases: bodyCases(operation, contestedBodies(body)),
    }),
  ];
}

/** Bodies that the document allows, the plain ones first. */
export const validBodies: Suite = {
  id: 'valid-bodies',
  title: 'Valid bodies',
  plan: ({ contract }) => {
    const { operations, reason } = bodyOperations(contract);
    return toPlan(operations.flatMap(propertiesOf), reason);
  },
};
