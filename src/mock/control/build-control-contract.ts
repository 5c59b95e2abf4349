import { buildContract } from '../../contract/build-contract.ts';
import type { Contract } from '../../contract/contract.ts';
import { createControlDocument } from './create-control-document.ts';

/**
 * The contract of the control interface.
 *
 * @param operations - the ids of the operations that are mocked
 */
export function buildControlContract(operations?: readonly string[]): Contract {
  return buildContract({
    source: 'cloche/spec/control.openapi.json',
    version: '3.1',
    openapi: '3.1.0',
    root: createControlDocument(operations),
    locate: () => undefined,
  });
}
