import { ClocheError } from '../../errors/cloche-error.ts';
import type { ErrorCode } from '../../errors/error-registry.ts';
import { DataError } from '../state/data-error.ts';
import type { ControlResult } from './control-act.ts';

/** The errors that are the matter of the client, and those of what the mock leans on. */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  OPTION_INVALID: 422,
  POLICY_INVALID: 422,
  DATA_INVALID: 422,
  SCHEMA_UNUSABLE: 422,
  STORE_UNUSABLE: 503,
};

/**
 * The answer to a request that failed, with the sentence of the error.
 *
 * @returns undefined where the mock itself is wrong
 */
export function toControlFailure(error: unknown): ControlResult | undefined {
  const code = error instanceof ClocheError ? statuses[error.code] : undefined;
  if (!(error instanceof ClocheError) || code === undefined) {
    return undefined;
  }
  const rows = error instanceof DataError ? error.rows : undefined;
  return { status: code, body: { code, message: error.message, rows } };
}
