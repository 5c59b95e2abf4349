import { ClocheError } from '../errors/cloche-error.ts';

/**
 * Checks what switches were given as their value: yargs takes whatever is not `true` for `false`.
 *
 * @param words - what stands behind the program's name
 * @param switches - the options of the command that are on or off
 * @throws ClocheError OPTION_INVALID for a value that is neither `true` nor `false`
 *
 * @example
 * checkSwitches(['mock', '--watch=yes'], ['watch']); // throws: it is a switch, and takes no value but true and false
 */
export function checkSwitches(words: readonly string[], switches: readonly string[]): void {
  const end = words.indexOf('--');
  for (const word of words.slice(0, end === -1 ? words.length : end)) {
    const [, name = '', value = ''] = /^--?([^=-][^=]*)=(.*)$/su.exec(word) ?? [];
    if (switches.includes(name) && value !== 'true' && value !== 'false') {
      const isShort = name.length === 1;
      const option = isShort ? `-${name}` : `--${name}`;
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'read the option',
        subject: `${option}${value === '' ? '' : ` ${value}`}`,
        reason: 'it is a switch, and takes no value but true and false',
        remedy: `Write ${option}, or ${isShort ? 'leave it out' : `--no-${name}`}`,
      });
    }
  }
}
