import { buildContract } from '../../contract/build-contract.ts';
import type { Contract } from '../../contract/contract.ts';
import type { ControlSubject } from './control-subject.ts';
import { createControlDocument } from './create-control-document.ts';

/**
 * The contract of the control interface.
 *
 * @param subject - the mock that it is of; where left out, no mock in particular
 */
export function buildControlContract(subject?: ControlSubject): Contract {
  return buildContract({
    source: 'cloche/spec/control.openapi.json',
    version: '3.1',
    openapi: '3.1.0',
    root: createControlDocument(subject),
    locate: () => undefined,
  });
}
