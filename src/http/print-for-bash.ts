import { octalEscape } from './octal-escape.ts';
import { printableText } from './printable-text.ts';
import type { BashPart } from './quote-for-bash.ts';
import { splitRepeats, type Stretch } from './split-repeats.ts';

const letterOrDigit = /^[0-9A-Za-z]$/u;
const shortEscapes: Readonly<Record<number, string>> = { 0x09: '\\t', 0x0a: '\\n', 0x0d: '\\r' };

/** A format of printf in single quotes: `%` and `\` are its own, `'` is the quotes'. */
function toFormat(bytes: Uint8Array): string {
  const text = printableText(bytes);
  if (text !== undefined && !text.startsWith('-')) {
    return text
      .replaceAll('\\', '\\\\')
      .replaceAll('%', '%%')
      .replaceAll('##', String.raw`#\043`)
      .replaceAll("'", String.raw`\047`);
  }
  return Array.from(bytes, (byte, index) => {
    const character = String.fromCharCode(byte);
    // At its beginning a hyphen would be an option.
    const isPlain =
      byte >= 0x20 && byte < 0x7f && !"%\\'".includes(character) && !(index === 0 && byte === 0x2d);
    return isPlain ? character : (shortEscapes[byte] ?? octalEscape(byte));
  }).join('');
}

function printStretch(stretch: Stretch): string {
  if (stretch.kind === 'bytes') {
    return `printf '${toFormat(stretch.bytes)}'`;
  }
  const { unit, count } = stretch;
  const character = String.fromCharCode(...unit);
  return letterOrDigit.test(character)
    ? `head -c ${count} /dev/zero | tr '\\0' ${character}`
    : `printf '${toFormat(unit)}%.0s' {1..${count}}`;
}

/**
 * Writes a bash command that prints bytes exactly, NUL and what is not UTF-8 included, and long repeats in
 * few words: `printf '{"id":1}\\000'`, `head -c 65536 /dev/zero | tr '\\0' x`.
 *
 * @param parts - what is printed, in order
 */
export function printForBash(parts: readonly BashPart[]): string {
  const commands = parts.flatMap((part) =>
    part.kind === 'variable'
      ? [`printf %s "$${part.name}"`]
      : splitRepeats(part.bytes).map((stretch) => printStretch(stretch)),
  );
  const [only, ...others] = commands;
  return others.length === 0 ? (only ?? 'true') : `{ ${commands.join('; ')}; }`;
}
