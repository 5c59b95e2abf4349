import { ClocheError } from '../../errors/cloche-error.ts';

/**
 * Checks the credentials that are let in.
 *
 * @throws ClocheError OPTION_INVALID for one that no header can carry; it does not name the token, which is a secret
 */
export function toTokens(tokens: readonly string[] = []): ReadonlySet<string> {
  const position = tokens.findIndex((token) => token === '' || /^[ \t]|[ \t]$|[\r\n\0]/u.test(token));
  if (position !== -1) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use as a token',
      subject: `tokens[${position}]`,
      reason: 'no header can carry an empty token, or one with white space at its ends or a line break in it',
      remedy: 'Pass the token alone, without "Bearer"',
    });
  }
  return new Set(tokens);
}
