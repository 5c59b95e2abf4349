import { buildRequest } from '../src/arbitrary/build-request.ts';
import type { Cases } from '../src/arbitrary/cases.ts';
import { mapCases } from '../src/arbitrary/map-cases.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import type { Operation } from '../src/contract/operation.ts';
import type { Sequence } from './sequence.ts';

/**
 * Each request after a plain one, under a key of its own: that plain bodies are taken, equal ones too, is what a
 * refusal is held against.
 */
export function afterPlain(operation: Operation, cases: Cases<RequestCase>): Cases<Sequence> {
  return mapCases(cases, (request): Sequence => [[buildRequest(operation)], [request]]);
}
