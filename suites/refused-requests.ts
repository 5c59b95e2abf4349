import type { Body } from '../src/arbitrary/body.ts';
import { buildRequest } from '../src/arbitrary/build-request.ts';
import { credentialCases } from '../src/arbitrary/credential-cases.ts';
import { joinParts } from '../src/arbitrary/join-parts.ts';
import { jsonExtensions } from '../src/arbitrary/json-extensions.ts';
import { missingPropertyBodies } from '../src/arbitrary/missing-properties.ts';
import { nullValueBodies } from '../src/arbitrary/null-values.ts';
import { pickAlternative } from '../src/arbitrary/pick-alternative.ts';
import { plainTokens } from '../src/arbitrary/plain-tokens.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import { truncatedTexts } from '../src/arbitrary/truncated-texts.ts';
import { wrongTypeBodies } from '../src/arbitrary/wrong-types.ts';
import type { Operation } from '../src/contract/operation.ts';
import type { BodyOperation } from './body-operations.ts';

/** Of each kind of refusal the first few are enough; the suite of that kind tries them all. */
const mostOfAKind = 6;

function holdsKey(body: Body): boolean {
  return body.some((part) => typeof part === 'object' && 'slot' in part);
}

const known = new WeakMap<Operation, readonly RequestCase[]>();

/**
 * Requests that a service should turn away, each of which names a key where the client chooses it; made once for
 * each operation.
 */
export function refusedRequests(target: BodyOperation): readonly RequestCase[] {
  const requests = known.get(target.operation) ?? makeRequests(target);
  known.set(target.operation, requests);
  return requests;
}

function makeRequests({ operation, body }: BodyOperation): readonly RequestCase[] {
  const alternative = pickAlternative(operation);
  const probes = alternative === undefined ? [] : credentialCases(alternative).refused.slice(0, mostOfAKind);
  const plain = joinParts(plainTokens(body, body.fullest));
  const kinds = [
    missingPropertyBodies(body),
    wrongTypeBodies(body),
    nullValueBodies(body),
    truncatedTexts(body),
    jsonExtensions(body),
  ];
  const bodies = kinds.flatMap(({ examples }) =>
    examples.filter((one) => body.key === undefined || holdsKey(one)).slice(0, mostOfAKind),
  );
  return [
    ...probes.map((credentials) => buildRequest(operation, { body: plain, credentials })),
    ...bodies.map((one) => buildRequest(operation, { body: one })),
    buildRequest(operation, { body: plain, contentType: 'text/plain' }),
    buildRequest(operation, { body: plain, contentType: undefined }),
  ];
}
