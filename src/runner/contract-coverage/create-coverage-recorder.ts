import type { Judged } from '../../check/judged.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import type { OperationCoverage } from '../operation-coverage.ts';
import { createOperationCount, type OperationCount } from './create-operation-count.ts';

/** Keeps count of what of a contract a run exercises. */
export interface CoverageRecorder {
  readonly read: (judged: Judged) => void;
  /**
   * What was counted so far, operation by operation, in the order of the document.
   *
   * @param neverFound - the ids of the operations that only ever answered 404
   */
  readonly conclude: (neverFound: readonly string[]) => readonly OperationCoverage[];
}

/** Starts counting for each operation of a contract. */
export function createCoverageRecorder(contract: Contract): CoverageRecorder {
  const counts = new Map<Operation, OperationCount>(
    contract.operations.map((operation) => [operation, createOperationCount(operation)]),
  );
  return {
    read(judged) {
      if (judged.operation !== undefined) {
        counts.get(judged.operation)?.read(judged);
      }
    },
    conclude: (neverFound) =>
      [...counts].map(([operation, count]) => count.conclude(contract, neverFound.includes(operation.id))),
  };
}
