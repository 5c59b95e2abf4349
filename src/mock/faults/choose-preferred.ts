import type { Contract } from '../../contract/contract.ts';
import type { DeclaredResponse } from '../../contract/declared-response.ts';
import { findDeclaredResponse } from '../../contract/find-declared-response.ts';
import type { Operation } from '../../contract/operation.ts';
import { findSuccessResponse, statusOf } from '../act/success-response.ts';
import { isForcibleStatus } from './check-forced-answer.ts';
import type { ForcedAnswer } from './fault-rule.ts';
import { explainNoExample } from './explain-no-example.ts';
import { hasExample } from './forced-content.ts';
import type { Preferences } from './read-preferences.ts';
import { toPreference } from './to-preference.ts';

/** What comes of the preferences of a request. */
export interface Choice {
  readonly answer: ForcedAnswer | undefined;
  /** What Preference-Applied says (RFC 7240 §3). */
  readonly applied: readonly string[];
  /** Why a preference is not met, a part of a sentence each. */
  readonly ignored: readonly string[];
}

function statusFor(response: DeclaredResponse): number {
  return response.status.kind === 'default' ? 500 : statusOf(response);
}

/**
 * Chooses the answer that a request prefers. An example is looked for under the status that is preferred, else under the
 * success of the operation, else under its other responses, those with a status of their own first.
 *
 * A preference that cannot be met is left aside, as RFC 7240 §2 wants it: the request is answered as if it had not
 * been there, and is told so.
 */
export function choosePreferred(
  contract: Pick<Contract, 'root'>,
  operation: Operation,
  preferences: Preferences,
): Choice {
  const { code, example } = preferences;
  const { root } = contract;
  const applied: string[] = [];
  const ignored: string[] = [];
  const status = code !== undefined && /^\d{3}$/u.test(code) ? Number(code) : undefined;
  const isMet = isForcibleStatus(status);
  if (isMet) {
    applied.push(toPreference('code', String(status)));
  } else if (code !== undefined) {
    ignored.push(`${toPreference('code', code)} is no status from 200 to 599`);
  }
  if (example === undefined) {
    return { answer: isMet ? { status } : undefined, applied, ignored };
  }
  const success = findSuccessResponse(operation);
  const others = operation.responses.filter((response) => response !== success);
  const declared = isMet
    ? [findDeclaredResponse(operation.responses, status)]
    : [
        success,
        ...others.filter((response) => response.status.kind === 'exact'),
        ...others.filter((response) => response.status.kind !== 'exact'),
      ];
  const response = declared.find((each) => each !== undefined && hasExample(root, each, example));
  if (response === undefined) {
    ignored.push(explainNoExample(operation, { example, status: isMet ? status : undefined }));
    return { answer: isMet ? { status } : undefined, applied, ignored };
  }
  applied.push(toPreference('example', example));
  return {
    answer: {
      status: isMet ? status : response === success ? statusOf(response) : statusFor(response),
      example,
    },
    applied,
    ignored,
  };
}
