import type { SecurityAlternative, SecurityScheme } from '../../contract/security.ts';
import type { RequestHead } from '../steps/request-head.ts';
import { createCredentialCheck } from './create-credential-check.ts';
import type { CredentialState } from './credential-state.ts';
import { describeAuthorization } from './describe-authorization.ts';
import { describeCredentials } from './describe-credentials.ts';
import { renderChallenge } from './render-challenge.ts';

/** Credentials that are not let in. */
export interface CredentialsProblem {
  readonly condition: 'missing-credentials' | 'invalid-credentials';
  /** What came and what to send instead. It repeats nothing that may be a secret in the wrong place. */
  readonly message: string;
  /** The value of WWW-Authenticate, for a 401. */
  readonly challenge: string;
}

/** Judges the credentials of a request; undefined where they are let in. */
export type Authenticator = (head: RequestHead) => CredentialsProblem | undefined;

/** Several alternatives fail as the one does that came closest: with credentials that were not good. */
function worst(states: readonly CredentialState[]): CredentialState {
  return states.includes('invalid') ? 'invalid' : states.includes('missing') ? 'missing' : 'good';
}

/** The names of the schemes that an Authorization field is wanted for, in lower case. */
function listFieldSchemes(schemes: readonly SecurityScheme[]): readonly string[] {
  return schemes.map(({ kind }) => kind).filter((kind) => kind === 'bearer' || kind === 'basic');
}

/**
 * Prepares the check of credentials: any one alternative lets a request in, and of an alternative all
 * schemes are wanted (OpenAPI 3.1 §4.8.30).
 *
 * @param tokens - see createCredentialCheck
 * @returns undefined where no credentials are asked for
 */
export function createAuthenticator(
  security: readonly SecurityAlternative[],
  tokens: ReadonlySet<string> | 'any',
): Authenticator | undefined {
  if (security.length === 0 || security.some((alternative) => alternative.length === 0)) {
    return undefined;
  }
  const alternatives = security.map((schemes) =>
    schemes.map((scheme) => createCredentialCheck(scheme, tokens)),
  );
  const schemes = security.flat();
  const wanted = describeCredentials(security);
  const missing: CredentialsProblem = {
    condition: 'missing-credentials',
    message: `Credentials are missing: send ${wanted}.`,
    challenge: renderChallenge({ schemes, isInvalid: false }),
  };
  const invalid: CredentialsProblem = {
    condition: 'invalid-credentials',
    message: `The credentials are not known: send ${wanted} that is accepted.`,
    challenge: renderChallenge({ schemes, isInvalid: true }),
  };
  const fieldSchemes = listFieldSchemes(schemes);

  function explainMissing(head: RequestHead): CredentialsProblem {
    const field = head.header('authorization');
    // A field that is as wanted lacks nothing: something else of its alternative does.
    const isMeant = fieldSchemes.some((scheme) => field?.toLowerCase().startsWith(`${scheme} `) === true);
    return field === undefined || isMeant || fieldSchemes.length === 0
      ? missing
      : { ...missing, message: `${describeAuthorization(field)}: send ${wanted}.` };
  }

  const [[only, ...furtherSchemes] = [], ...furtherAlternatives] = alternatives;
  if (only !== undefined && furtherSchemes.length === 0 && furtherAlternatives.length === 0) {
    return (head) => {
      const state = only(head);
      return state === 'good' ? undefined : state === 'invalid' ? invalid : explainMissing(head);
    };
  }
  return (head) => {
    let verdict: CredentialState = 'missing';
    for (const checks of alternatives) {
      const state = worst(checks.map((check) => check(head)));
      if (state === 'good') {
        return undefined;
      }
      verdict = state === 'invalid' ? state : verdict;
    }
    return verdict === 'invalid' ? invalid : explainMissing(head);
  };
}
