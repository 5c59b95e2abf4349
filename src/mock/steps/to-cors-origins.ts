import { ClocheError } from '../../errors/cloche-error.ts';

/** The origin as a browser sends it, where a text is one; a slash at its end is let pass. */
function toOrigin(text: string): string | undefined {
  const written = text.trim().replace(/\/$/u, '').toLowerCase();
  if (written === 'null') {
    return written;
  }
  if (!URL.canParse(written)) {
    return undefined;
  }
  const { protocol, host, pathname, search, hash, username, password } = new URL(written);
  const isAlone = ['', '/'].includes(pathname) && `${search}${hash}${username}${password}` === '';
  // A star would be a host like any other, which no page has.
  return isAlone && host !== '' && !host.includes('*') ? `${protocol}//${host}` : undefined;
}

/**
 * The origins that are let in, as browsers send them (RFC 6454 §6.1).
 *
 * @throws ClocheError OPTION_INVALID for one that is none
 */
export function toCorsOrigins(origins: readonly string[]): ReadonlySet<string> {
  return new Set(
    origins.map((text) => {
      const origin = toOrigin(text);
      if (origin === undefined) {
        throw new ClocheError('OPTION_INVALID', {
          attempt: 'let in the origin',
          subject: text,
          reason: 'it is no origin of a page',
          remedy: 'Write scheme, host and port, as in http://localhost:5173, or leave origins out for any',
        });
      }
      return origin;
    }),
  );
}
