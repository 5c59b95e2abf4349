import type { Body } from '../src/arbitrary/body.ts';
import { buildRequest } from '../src/arbitrary/build-request.ts';
import type { Cases } from '../src/arbitrary/cases.ts';
import { mapCases } from '../src/arbitrary/map-cases.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import type { Operation } from '../src/contract/operation.ts';

/** Requests that differ from a plain one in their body. */
export function bodyCases(operation: Operation, bodies: Cases<Body>): Cases<RequestCase> {
  return mapCases(bodies, (body) => buildRequest(operation, { body }));
}
