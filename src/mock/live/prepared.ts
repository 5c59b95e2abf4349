import type { Contract } from '../../contract/contract.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Responder } from '../steps/responder.ts';

/** What a contract and a policy come to. */
export interface Prepared {
  readonly contract: Contract;
  readonly policy: Policy;
  /** Those that were given. */
  readonly answers: Partial<Policy>;
  /** What answers are made by: its contract may have examples that the document has none of. */
  readonly basis: { readonly contract: Contract; readonly policy: Policy };
  readonly responder: Responder;
}
