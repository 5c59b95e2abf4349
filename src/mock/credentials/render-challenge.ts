import type { SecurityScheme } from '../../contract/security.ts';

function challenge(scheme: SecurityScheme, isInvalid: boolean): string | undefined {
  switch (scheme.kind) {
    case 'bearer':
      return isInvalid ? 'Bearer error="invalid_token"' : 'Bearer';
    case 'basic':
      return 'Basic realm="mock", charset="UTF-8"';
    case 'api-key':
      return `ApiKey in="${scheme.in}", name="${scheme.parameter.replaceAll(/["\\]/gu, '')}"`;
    case 'unjudged':
      return undefined;
  }
}

/**
 * The value of WWW-Authenticate for an operation: a challenge for each scheme that it knows (RFC 9110
 * §11.6.1; RFC 6750 §3 for bearer tokens, RFC 7617 §2 for basic; there is none registered for API keys).
 *
 * @param input.isInvalid - whether credentials came and were not let in
 */
export function renderChallenge(input: {
  readonly schemes: readonly SecurityScheme[];
  readonly isInvalid: boolean;
}): string {
  const challenges = input.schemes.map((scheme) => challenge(scheme, input.isInvalid));
  return [...new Set(challenges.filter((each) => each !== undefined))].join(', ');
}
