import { ClocheError } from '../../errors/cloche-error.ts';

/**
 * A control token, if it is one.
 *
 * @throws ClocheError OPTION_INVALID where no Authorization can carry it (RFC 6750 §2.1)
 */
export function checkControlToken(token: string | undefined): string | undefined {
  if (token === undefined || /^[!-~]+$/u.test(token)) {
    return token;
  }
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'use as a control token',
    // The token itself is a secret.
    subject: 'control.token',
    reason: token === '' ? 'it is empty' : 'it holds white space, or what is no printable character of ASCII',
    remedy: 'Give a long random text of letters and digits',
  });
}
