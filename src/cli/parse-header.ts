import { ClocheError } from '../errors/cloche-error.ts';

/** What the client itself writes, for the bytes that leave (RFC 9112 §6). */
const framing = new Set(['content-length', 'transfer-encoding', 'connection', 'upgrade', 'keep-alive', 'te']);

/** The text without what may be a secret: the name, or the first of several words. */
function showSafely(text: string): string {
  const colon = text.indexOf(':');
  if (colon > 0) {
    return `${text.slice(0, colon)}: ***`;
  }
  const [word = '', ...others] = text.trim().split(/\s+/u);
  const isNameLike = /^[A-Za-z-]{1,30}$/u.test(word);
  return [isNameLike ? word : '***', ...(others.length > 0 ? ['***'] : [])].join(' ');
}

function findFault(text: string): string | undefined {
  const colon = text.indexOf(':');
  if (colon === -1) {
    return 'there is no colon between a name and a value';
  }
  const name = text.slice(0, colon);
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u.test(name)) {
    return 'what stands before the colon is no name of a header field';
  }
  if (framing.has(name.toLowerCase())) {
    return 'Cloche writes this field itself';
  }
  const value = text.slice(colon + 1);
  // oxlint-disable-next-line no-control-regex -- these are just what no field may hold
  if (/[\u0000-\u0008\u000A-\u001F\u007F]/u.test(value)) {
    return 'the value holds a control character or the end of a line';
  }
  return /[\u0100-\u{10FFFF}]/u.test(value) ? 'the value holds a character past U+00FF' : undefined;
}

/**
 * Reads `Name: value`.
 *
 * @throws ClocheError OPTION_INVALID where the text is no header field (RFC 9110 §5.1, §5.5); its sentence
 *   does not show the value
 */
export function parseHeader(text: string): readonly [name: string, value: string] {
  const fault = findFault(text);
  if (fault !== undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--header ${showSafely(text).replaceAll(/\p{Cc}/gu, '?')}`,
      reason: fault,
      remedy: 'Write it as --header "Name: value"',
    });
  }
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1).trim()];
}
