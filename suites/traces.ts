import fc from 'fast-check';
import { credentialCases, pickAlternative } from '../src/arbitrary/credentials.ts';
import { missingPropertyBodies, nullValueBodies, wrongTypeBodies } from '../src/arbitrary/invalid-bodies.ts';
import { jsonExtensions } from '../src/arbitrary/json-corpus.ts';
import { truncatedTexts } from '../src/arbitrary/malformed-bodies.ts';
import { plainContent } from '../src/arbitrary/plain-body.ts';
import { type Cases, isKeySlot, type RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import { refusedLeavesTraceCheck } from '../src/check/checks/sequence.ts';
import type { Operation } from '../src/contract/contract.ts';
import type { Suite } from '../src/runner/suite.ts';
import {
  type BodyOperation,
  type KeyedOperation,
  planKeys,
  requestWith,
  type Sequence,
  sequenceProperty,
} from './property.ts';

/** The first few rejections of each kind are enough. The suite of that kind tries them all. */
const mostOfAKind = 6;

const known = new WeakMap<Operation, readonly RequestCase[]>();

/**
 * Returns requests that a service should reject, each with an id if the client chooses it. Builds them once for each
 * operation.
 */
export function refusedRequests(target: BodyOperation): readonly RequestCase[] {
  const requests = known.get(target.operation) ?? makeRequests(target);
  known.set(target.operation, requests);
  return requests;
}

function makeRequests({ operation, body }: BodyOperation): readonly RequestCase[] {
  const alternative = pickAlternative(operation);
  const probes = alternative === undefined ? [] : credentialCases(alternative).refused.slice(0, mostOfAKind);
  const plain = plainContent(body);
  const kinds = [
    missingPropertyBodies(body),
    wrongTypeBodies(body),
    nullValueBodies(body),
    truncatedTexts(body),
    jsonExtensions(body),
  ];
  const bodies = kinds.flatMap(({ examples }) =>
    examples.filter((one) => body.key === undefined || one.some(isKeySlot)).slice(0, mostOfAKind),
  );
  return [
    ...probes.map((credentials) => buildRequest(operation, { body: plain, credentials })),
    ...bodies.map((one) => buildRequest(operation, { body: one })),
    buildRequest(operation, { body: plain, contentType: 'text/plain' }),
    buildRequest(operation, { body: plain, contentType: undefined }),
  ];
}

function casesOf(target: KeyedOperation): Cases<Sequence> {
  const { body } = target;
  const refused = refusedRequests(target);
  const afterwards = requestWith(target, body.smallest);
  // The last one has another id. It shows that only the id can be a reason to reject the body.
  const follow = (first: RequestCase, then: RequestCase): Sequence => [[first, then], [then]];
  const random = fc
    .tuple(fc.constantFrom(...refused), body.arbitrary)
    .map(([first, value]) => follow(first, requestWith(target, value)));
  return { examples: refused.map((first) => follow(first, afterwards)), arbitrary: random };
}

/** A rejected request, then its id in a valid one, then the valid one with another id. */
export const traces: Suite = {
  id: 'traces',
  title: 'Refused requests leave no trace',
  plan: ({ contract }) =>
    planKeys(contract, ({ operation, late }) =>
      sequenceProperty({
        operation,
        name: 'refused-then-valid',
        title: 'The id of a request that was refused is free',
        cases: late(8 * mostOfAKind, casesOf),
        mostRequests: 3,
        traceChecks: [refusedLeavesTraceCheck.judgeTrace],
      }),
    ),
};
