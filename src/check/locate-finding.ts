import type { Contract } from '../contract/contract.ts';
import type { Finding } from './finding.ts';

/**
 * A finding that names the place of its clause as the user finds it in what they wrote: in the document, or in
 * a file that it refers to.
 */
export function locateFinding(finding: Finding, contract: Contract): Finding {
  const { clause } = finding;
  return clause.kind === 'document'
    ? { ...finding, clause: { ...clause, ...contract.placeOf(clause.pointer) } }
    : finding;
}
