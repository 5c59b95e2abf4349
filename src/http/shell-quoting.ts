import { printableText, textBytes } from './bytes.ts';
import { base64Spellings, createSecretSplitter, redacted } from './redact.ts';

/** Returns one byte as a backslash and three octal digits, which bash and its printf both read. */
function octalEscape(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`;
}

/** A part of a word of a shell: bytes, one character each, or the value of a variable. */
export type WordPart =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'variable'; readonly name: string };

/** A shell for which commands are written. The commands of a shell become lines that a user pastes. */
export interface Shell {
  /** Matches words that need no quotes. */
  readonly bare: RegExp;
  /** A pattern of the text before the name of a variable. */
  readonly beforeName: string;
  /** Returns whether a word can contain bytes. */
  readonly canQuote: (bytes: Uint8Array) => boolean;
  /** Quotes bytes and variables as one word for a program. */
  readonly quote: (parts: readonly WordPart[]) => string;
  /** Quotes bytes and variables as one word for npx, which is a batch file on Windows. */
  readonly quoteForScript: (parts: readonly WordPart[]) => string;
  /** Passes content to a command, by standard input or in a file. */
  readonly feed: (parts: readonly WordPart[], how?: FeedOptions) => Feed;
  /** Writes a line that runs curl, and stores and prints a value of the response. */
  readonly store: (command: string, value: StoredValue) => string;
  /** Writes a command that runs beside others. After the last one, the shell waits for all or for the last. */
  readonly runBeside: (command: string, isLast: boolean) => string;
  /** Writes a line that sets variables, which the lines after it contain. */
  readonly assign: (values: readonly (readonly [name: string, value: string])[]) => string;
  /** Returns the line for a command. */
  readonly toLine: (command: string) => string;
}

/** How content is passed to a command. */
interface FeedOptions {
  /** The name of a file, if the shell needs one. @defaultValue 'cloche-body.bin' */
  readonly file?: string;
  /** The encoding of the content, which is given in UTF-8. @defaultValue UTF-8 */
  readonly encoding?: 'UTF-16LE' | 'UTF-16BE' | undefined;
}

/** The parts of a command that gets content. */
interface Feed {
  /** The text before the command. */
  readonly before: string;
  /** The file with the content; `-` for standard input. */
  readonly file: string;
  /** The text after the command that makes the content its standard input. */
  readonly after: string;
}

/** A value of a response, and the variable for it. */
interface StoredValue {
  readonly name: string;
  /** The JavaScript after the parsed content: `.id`; undefined for the last segment of Location. */
  readonly path: string | undefined;
}

function quoteBytes(bytes: Uint8Array): string {
  const text = printableText(bytes);
  // `##[…]` anywhere in a line of output is a command for a CI server.
  if (text !== undefined && !text.includes('##')) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c && byte !== 0x23
      ? String.fromCharCode(byte)
      : octalEscape(byte),
  );
  return `$'${escaped.join('')}'`;
}

/** Matches words without special meaning in any shell, in any position. */
const bare = /^[\w@%+:,./-][\w@%+=:,./-]*$/u;

/** Returns whether a part is safe within double quotes; `!` cannot be escaped at a prompt. */
function isPlainInDoubleQuotes(part: WordPart): boolean {
  return part.kind === 'variable' || /^(?!.*##)[^"\\$`!]*$/u.test(printableText(part.bytes) ?? '!');
}

function quoteTogether(parts: readonly WordPart[]): string {
  const texts = parts.map((part) =>
    part.kind === 'variable' ? undefined : (printableText(part.bytes) ?? ''),
  );
  const words = parts.map((part, index) => {
    if (part.kind !== 'variable') return texts[index];
    return /^\w/u.test(texts[index + 1] ?? '') ? `\${${part.name}}` : `$${part.name}`;
  });
  return `"${words.join('')}"`;
}

/**
 * Quotes bytes (without NUL, which bash words cannot contain) and variables as one word of a bash line: `'{"id":1}'`,
 * `"Bearer $CLOCHE_TOKEN"`, `$'\\200'`.
 */
export function quoteForBash(parts: readonly WordPart[]): string {
  if (parts.length === 0) return "''";
  const hasVariable = parts.some((part) => part.kind === 'variable');
  if (hasVariable && parts.every((part) => isPlainInDoubleQuotes(part))) return quoteTogether(parts);
  return parts
    .map((part) => (part.kind === 'variable' ? `"$${part.name}"` : quoteBytes(part.bytes)))
    .join('');
}

/** Quotes a text without NUL as one word of a line, of bash by default. */
export function quoteText(text: string, quote: Shell['quote'] = quoteForBash): string {
  return quote([{ kind: 'bytes', bytes: new TextEncoder().encode(text) }]);
}

/** Quotes a text like {@link quoteText}, but only if needed. */
export function quoteWord(text: string, shell: Pick<Shell, 'bare' | 'quote'> = bash): string {
  return shell.bare.test(text) ? text : quoteText(text, shell.quote);
}

/** A run of bytes: literal, or a few bytes repeated. */
export type Stretch =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'repeat'; readonly unit: Uint8Array; readonly count: number };

const longestUnit = 16;
/** The minimum number of bytes that a repeat must save to get its own command. */
const shortestRepeat = 128;

function countRepeats(bytes: Uint8Array, start: number, length: number): number {
  let end = start + length;
  while (end < bytes.length && bytes[end] === bytes[end - length]) {
    end += 1;
  }
  return Math.floor((end - start) / length);
}

function repeatAt(bytes: Uint8Array, start: number): (Stretch & { kind: 'repeat' }) | undefined {
  for (let length = 1; length <= longestUnit && start + 2 * length <= bytes.length; length += 1) {
    const count = countRepeats(bytes, start, length);
    if (count > 1 && count * length >= shortestRepeat) {
      return { kind: 'repeat', unit: bytes.subarray(start, start + length), count };
    }
  }
  return undefined;
}

/** Splits bytes into literal runs and long repeats of up to 16 bytes, the shortest unit first. */
export function splitRepeats(bytes: Uint8Array): Stretch[] {
  const stretches: Stretch[] = [];
  let plainFrom = 0;
  let position = 0;
  while (position < bytes.length) {
    const repeat = repeatAt(bytes, position);
    if (repeat === undefined) {
      position += 1;
      continue;
    }
    if (position > plainFrom) {
      stretches.push({ kind: 'bytes', bytes: bytes.subarray(plainFrom, position) });
    }
    stretches.push(repeat);
    position += repeat.unit.length * repeat.count;
    plainFrom = position;
  }
  if (plainFrom < bytes.length) {
    stretches.push({ kind: 'bytes', bytes: bytes.subarray(plainFrom) });
  }
  return stretches;
}

const letterOrDigit = /^[0-9A-Za-z]$/u;
const shortEscapes: Readonly<Record<number, string>> = { 0x09: '\\t', 0x0a: '\\n', 0x0d: '\\r' };

/** Returns a format of printf for single quotes: escapes `%`, `\` and `'`. */
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
    // At the start a hyphen would be an option.
    const isPlain =
      byte >= 0x20 && byte < 0x7f && !"%\\'".includes(character) && !(index === 0 && byte === 0x2d);
    return isPlain ? character : (shortEscapes[byte] ?? octalEscape(byte));
  }).join('');
}

function printStretch(stretch: Stretch): string {
  if (stretch.kind === 'bytes') return `printf '${toFormat(stretch.bytes)}'`;
  const { unit, count } = stretch;
  const character = String.fromCharCode(...unit);
  return letterOrDigit.test(character)
    ? `head -c ${count} /dev/zero | tr '\\0' ${character}`
    : `printf '${toFormat(unit)}%.0s' {1..${count}}`;
}

/**
 * Writes a bash command that prints bytes exactly, including NUL and invalid UTF-8, with long repeats shortened:
 * `printf '{"id":1}\\000'`, `head -c 65536 /dev/zero | tr '\\0' x`.
 */
export function printForBash(parts: readonly WordPart[]): string {
  const commands = parts.flatMap((part) =>
    part.kind === 'variable'
      ? [`printf %s "$${part.name}"`]
      : splitRepeats(part.bytes).map((stretch) => printStretch(stretch)),
  );
  const [only, ...others] = commands;
  return others.length === 0 ? (only ?? 'true') : `{ ${commands.join('; ')}; }`;
}

/** A secret and the shell variable that replaces it. */
export type SecretVariable = readonly [secret: string, variable: string];

/**
 * Names a variable for each secret: `CLOCHE_TOKEN` for the first, the token, which may be empty, then `…_2` etc.
 *
 * @param meanings - the descriptions of the secrets. Secrets with the same one are successive values of one credential,
 * and share a variable. @defaultValue no two secrets share one
 */
export function secretVariables(
  secrets: readonly string[],
  meanings: readonly string[] = [],
): readonly SecretVariable[] {
  const firsts = new Map<string, number>();
  return secrets.map((secret, index) => {
    const meaning = meanings[index] ?? String(index);
    const first = firsts.get(meaning) ?? index;
    firsts.set(meaning, first);
    return [secret, `CLOCHE_TOKEN${first === 0 ? '' : `_${first + 1}`}`];
  });
}

/**
 * Creates a function that splits a text (one character per byte, or any text with a character above U+00FF) into the
 * parts of a word, with variables in place of secrets. A secret in base64 is replaced with a mark, because no
 * variable contains a part of it. Creating the function costs more than using it.
 */
export function createWordSplitter(variables: readonly SecretVariable[]): (text: string) => WordPart[] {
  const secrets = variables.map(([secret]) => secret);
  const split = createSecretSplitter([...secrets, ...secrets.flatMap(base64Spellings)]);
  return (text) =>
    split(text).map((piece) => {
      const variable = piece.kind === 'secret' ? variables[piece.index] : undefined;
      return variable === undefined
        ? { kind: 'bytes', bytes: textBytes(piece.kind === 'secret' ? redacted : piece.text) }
        : { kind: 'variable', name: variable[1] };
    });
}

/** The shell of Linux and macOS. */
export const bash: Shell = {
  bare,
  beforeName: String.raw`\$\{?`,
  canQuote: () => true,
  quote: quoteForBash,
  quoteForScript: quoteForBash,
  feed(parts, { encoding } = {}) {
    const recode = encoding === undefined ? '' : `iconv -f UTF-8 -t ${encoding} | `;
    return { before: `${printForBash(parts)} | ${recode}`, file: '-', after: '' };
  },
  store(command, { name, path }) {
    const read =
      path === undefined
        ? `sed -n 's/^[Ll]ocation:.*\\/\\([^/?#]*\\).*$/\\1/p' | tr -d '\\r'`
        : `node -p ${quoteText(`JSON.parse(fs.readFileSync(0))${path}`)}`;
    return `${name}=$(${command} | ${read}); echo "${name}=$${name}"`;
  },
  runBeside: (command, isLast) => `${command} &${isLast ? ' wait' : ''}`,
  assign: (values) => `export ${values.map(([name, value]) => `${name}=${quoteText(value)}`).join(' ')}`,
  toLine: (command) => command,
};
