import type { SecurityAlternative } from '../contract/security.ts';
import type { CredentialCase } from './credential-case.ts';

/** What a requirement is probed with. */
export interface CredentialProbes {
  /** Credentials that are none, or not good. */
  readonly refused: readonly CredentialCase[];
  /** Good credentials in an unusual spelling. */
  readonly spelled: readonly CredentialCase[];
}

const wrong: readonly CredentialCase[] = [
  { kind: 'wrong-token' },
  { kind: 'altered-token', how: 'last-character' },
  { kind: 'altered-token', how: 'shortened' },
  { kind: 'altered-token', how: 'lengthened' },
  { kind: 'altered-token', how: 'other-case' },
];

function literals(values: readonly string[]): readonly CredentialCase[] {
  return values.map((value) => ({ kind: 'literal', value }));
}

function asksForAuthorization(alternative: SecurityAlternative): boolean {
  return alternative.some(({ kind }) => kind === 'bearer' || kind === 'basic');
}

/**
 * The fixed handful of credentials that a requirement is probed with.
 *
 * @param alternative - the one that good credentials are sent for: the first whose schemes can all be met
 * @param security - every alternative of the operation, as a probe must not meet another one
 */
export function credentialCases(
  alternative: SecurityAlternative,
  security: readonly SecurityAlternative[] = [alternative],
): CredentialProbes {
  const scheme = alternative.find(({ kind }) => kind === 'bearer' || kind === 'basic') ?? alternative[0];
  if (scheme === undefined || scheme.kind === 'unjudged') {
    return { refused: [], spelled: [] };
  }
  const none: CredentialCase = { kind: 'none' };
  if (scheme.kind === 'api-key') {
    // The good token as a bearer token may be just what another alternative asks for.
    const elsewhere: readonly CredentialCase[] = security.some(asksForAuthorization)
      ? []
      : [{ kind: 'other-scheme', scheme: 'Bearer' }];
    return { refused: [none, ...literals(['']), ...wrong, ...elsewhere], spelled: [] };
  }
  const [name, other] = scheme.kind === 'bearer' ? ['Bearer', 'Basic'] : ['Basic', 'Bearer'];
  const otherValue = scheme.kind === 'bearer' ? 'Basic dXNlcjpwYXNz' : 'Bearer token';
  return {
    refused: [
      none,
      ...wrong.slice(0, 1),
      ...literals([otherValue, name, '', `${name} null`, `${name} undefined`]),
      { kind: 'bare' },
      { kind: 'other-scheme', scheme: 'Token' },
      { kind: 'other-scheme', scheme: other ?? 'Digest' },
      ...wrong.slice(1),
    ],
    spelled: [
      { kind: 'spelled', scheme: (name ?? '').toLowerCase(), space: ' ' },
      { kind: 'spelled', scheme: (name ?? '').toUpperCase(), space: ' ' },
      { kind: 'spelled', scheme: name ?? '', space: '  ' },
    ],
  };
}
