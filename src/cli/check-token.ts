import { ClocheError } from '../errors/cloche-error.ts';
import { checkText } from './check-text.ts';

/**
 * Checks a token that a command was given; the sentences do not show it.
 *
 * @param source - where it comes from: `--token`, `CLOCHE_TOKEN`
 * @throws ClocheError OPTION_INVALID where it is empty, given more than once, holds what no header field can
 *   carry, or has a scheme before it
 */
export function checkToken(source: string, value: unknown): string {
  const token = checkText(source.replace(/^--/u, ''), value);
  const [scheme] = /^(?:Bearer|Basic)(?=[ \t])/iu.exec(token) ?? [];
  if (scheme !== undefined) {
    const isBearer = scheme.toLowerCase() === 'bearer';
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the token of',
      subject: `${source} '${scheme} ***'`,
      reason: `it starts with the scheme, which the document says and Cloche writes before it`,
      remedy: isBearer ? `Leave out ${scheme}` : `Leave out ${scheme}, and give user:password`,
    });
  }
  // RFC 9110 §5.5: a field value holds no controls.
  // oxlint-disable-next-line no-control-regex -- these are just what no field may hold
  if (/[\u0000-\u0008\u000A-\u001F\u007F]/u.test(token)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the token of',
      subject: source,
      reason: 'it holds a control character or the end of a line, which no header field can carry',
      remedy: 'Give the token alone',
    });
  }
  return token;
}
