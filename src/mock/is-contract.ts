import type { Contract } from '../contract/contract.ts';

/** Whether what a mock is made of is a contract already, and no document that is still to be read. */
export function isContract(given: unknown): given is Contract {
  return typeof given === 'object' && given !== null && 'operations' in given && 'placeOf' in given;
}
