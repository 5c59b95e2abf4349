import { plainRequest } from '../../arbitrary/plain-request.ts';
import type { Judged } from '../../check/judged.ts';
import type { RequestReading } from '../../check/request-reading.ts';
import { classifyStatus } from '../../check/status-class.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import { statusName } from '../../contract/status-name.ts';
import type { KeywordCoverage, OperationCoverage } from '../operation-coverage.ts';
import { countBodies } from './count-bodies.ts';
import { countParameters } from './count-parameters.ts';
import { countResponses } from './count-responses.ts';
import { explainKeyword, explainOperation, explainUnseenResponse } from './explain-never.ts';
import type { KeywordTally } from './tally-schema.ts';

/** What is counted of one operation. */
export interface OperationCount {
  /** Counts an exchange; what it costs does not grow with the size of a schema, some first ones aside. */
  read(judged: Judged): void;
  /** @param isNeverFound - whether it only ever answered 404 */
  conclude(contract: Contract, isNeverFound: boolean): OperationCoverage;
}

function isFaultless({ credentials, body, invalidParameters }: RequestReading): boolean {
  return (
    (credentials === 'good' || credentials === 'not-required') &&
    (body.kind === 'valid' || body.kind === 'not-expected') &&
    invalidParameters.length === 0
  );
}

/** One entry for each keyword of the document: definitions that several schemas share are one. */
function merge(tallies: readonly KeywordTally[], { placeOf }: Contract): readonly KeywordCoverage[] {
  const byPlace = new Map<string, KeywordTally>();
  for (const tally of tallies) {
    const key = `${tally.of} ${tally.pointer}`;
    const known = byPlace.get(key);
    byPlace.set(key, {
      ...tally,
      met: tally.met + (known?.met ?? 0),
      broken: tally.broken + (known?.broken ?? 0),
    });
  }
  return [...byPlace.values()].map((tally) => {
    const { pointer, keyword, of, met, broken } = tally;
    const reason = explainKeyword(tally);
    return { ...placeOf(pointer), keyword, of, met, broken, ...(reason === undefined ? {} : { reason }) };
  });
}

/** Starts counting what a run exercises of an operation. */
export function createOperationCount(operation: Operation): OperationCount {
  const bodies = countBodies(operation);
  const parameters = countParameters(operation);
  const responses = countResponses(operation);
  let requests = 0;
  let accepted = 0;

  return {
    read(judged) {
      requests += 1;
      bodies.read(judged);
      parameters.read(judged);
      responses.read(judged);
      if (isFaultless(judged.request) && classifyStatus(judged.answer) === 'accepted') {
        accepted += 1;
      }
    },
    conclude(contract, isNeverFound) {
      const { problem } = plainRequest(operation);
      const reason = explainOperation(operation, { requests, accepted, isNeverFound }, problem);
      const keywords = [...bodies.keywords(), ...parameters.keywords(), ...responses.keywords()];
      return {
        ...contract.placeOf(operation.pointer),
        operation: operation.id,
        requests,
        accepted,
        bodies: bodies.bodies(),
        responses: operation.responses.map((response) => {
          const seen = responses.seen(response);
          return {
            ...contract.placeOf(response.pointer),
            status: statusName(response.status),
            seen,
            ...(seen > 0 ? {} : { reason: explainUnseenResponse(response) }),
          };
        }),
        undeclared: [...responses.undeclared()]
          .map(([status, seen]) => ({ status, seen }))
          .toSorted((left, right) => left.status - right.status),
        keywords: merge(keywords, contract),
        ...(reason === undefined ? {} : { reason }),
      };
    },
  };
}
