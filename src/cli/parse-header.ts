import { ClocheError } from '../errors/cloche-error.ts';

/**
 * Reads `Name: value`.
 *
 * @throws ClocheError OPTION_INVALID where the text is no header field (RFC 9110 §5.1, §5.5)
 */
export function parseHeader(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)$/u.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      // The value may be a secret, so only the name is shown.
      subject: `--header ${text.split(':', 1)[0] ?? ''}`,
      reason: 'it is no header field',
      remedy: 'Write it as --header "Name: value"',
    });
  }
  return [name, value];
}
