/** The schemes that IANA lists, and some that are sent all the same. */
const knownSchemes: ReadonlyMap<string, string> = new Map(
  [
    'ApiKey',
    'AWS4-HMAC-SHA256',
    'Basic',
    'Bearer',
    'Concealed',
    'Digest',
    'DPoP',
    'GNAP',
    'HOBA',
    'JWT',
    'Mutual',
    'Negotiate',
    'NTLM',
    'OAuth',
    'PrivateToken',
    'SCRAM-SHA-1',
    'SCRAM-SHA-256',
    'Token',
    'vapid',
  ].map((name) => [name.toLowerCase(), name]),
);

/**
 * Says what an Authorization field holds, as far as it can be said aloud: the name of a scheme that
 * everybody knows, and never a word of the client's own, which may be a secret in the wrong place.
 *
 * @param field - its value; of credentials that no wanted scheme could take
 */
export function describeAuthorization(field: string): string {
  const subject = 'The Authorization header';
  const [first = '', ...rest] = field.trim().split(/[ \t]+/u);
  if (first === '') {
    return `${subject} is empty`;
  }
  const scheme = knownSchemes.get(first.toLowerCase());
  if (rest.length === 0) {
    return scheme === undefined
      ? `${subject} holds no scheme`
      : `${subject} names the scheme ${scheme} and no ${scheme === 'Bearer' ? 'token' : 'credentials'}`;
  }
  return scheme === undefined
    ? `${subject} uses a scheme that is not known`
    : `${subject} uses the scheme ${scheme}`;
}
