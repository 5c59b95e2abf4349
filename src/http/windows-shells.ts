import { latin1Text, printableText } from './bytes.ts';
import { bash, quoteText, type Shell, splitRepeats, type WordPart } from './shell-quoting.ts';

/** Line ends and characters that a console does not show. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Quotes a word by the rules of the C runtime (CommandLineToArgvW): a backslash before a quote is doubled, and a quote has
 * a backslash. The name of a variable is between two NUL, which no other text contains.
 */
function quoteForProgram(parts: readonly WordPart[]): string {
  const text = parts
    .map((part) =>
      part.kind === 'variable'
        ? `\0${part.name}\0`
        : new TextDecoder().decode(part.bytes).replaceAll(unprintable, ' '),
    )
    .join('');
  return `"${text.replaceAll(/(\\*)("|$)/gu, (_, slashes: string, end: string) => `${slashes}${slashes}${end && String.raw`\"`}`)}"`;
}

/**
 * Returns whether cmd passes on a quoted word as it is, however often it reads it. It toggles at each quote whether it
 * is inside quotes, where only `%` has a meaning. `##[…]` would be a command for a CI server.
 */
function isPlain(word: string): boolean {
  const quotes = word.split('"').length - 1;
  return !/%|##/u.test(word) && (quotes === 2 || (quotes % 2 === 0 && !/[()^<>&|]/u.test(word)));
}

/**
 * Escapes a word with carets, so that cmd is never inside quotes. A caret in the name between two `%` makes it the name of
 * no variable, and is removed afterwards.
 */
function addCarets(word: string): string {
  return word.replaceAll(/[()^"<>&|]|(?<=[%#])[^\0]/gu, '^$&');
}

/** Quotes a word for a program that cmd starts. cmd reads the line of a batch file again: `readings` is 2. */
function quoteForCmd(parts: readonly WordPart[], readings: 1 | 2): string {
  const word = quoteForProgram(parts);
  const escaped = readings === 1 ? addCarets(word) : addCarets(addCarets(word));
  return (isPlain(word) ? word : escaped).replaceAll(/\0(\w+)\0/gu, '%$1%');
}

/** Returns a JavaScript expression for the bytes of parts, without double quotes. */
function toBuffer(parts: readonly WordPart[]): string {
  const toBase64 = (bytes: Uint8Array): string => `'${btoa(latin1Text(bytes))}','base64'`;
  const buffers = parts.flatMap((part) =>
    part.kind === 'variable'
      ? [`Buffer.from(process.env.${part.name})`]
      : splitRepeats(part.bytes).map((stretch) =>
          stretch.kind === 'bytes'
            ? `Buffer.from(${toBase64(stretch.bytes)})`
            : `Buffer.alloc(${stretch.unit.length * stretch.count},${toBase64(stretch.unit)})`,
        ),
  );
  return buffers.length === 1 ? buffers.join('') : `Buffer.concat([${buffers.join(',')}])`;
}

/**
 * Returns a command that prints a value of the response to another one. The value is percent-encoded: a service chooses
 * it, and cmd reads it as a part of later lines.
 */
function printValue(command: string, path: string | undefined): string {
  const response = "fs.readFileSync('cloche-response.txt')";
  const value =
    path === undefined
      ? String.raw`decodeURIComponent(/^location:.*\/([^/?#\s]*)/im.exec(${response})[1])`
      : `JSON.parse(${response})${path}`;
  // cmd would read the words on both sides of a pipe twice.
  return `${command} -o cloche-response.txt & node -p ${quoteText(`encodeURIComponent(${value})`, cmd.quote)}`;
}

const cmd: Shell = {
  bare: /^[\w@+:,./-][\w@+=:,./-]*$/u,
  beforeName: String.raw`(?:%|process\.env\.)`,
  canQuote: (bytes) => printableText(bytes) !== undefined,
  quote: (parts) => quoteForCmd(parts, 1),
  quoteForScript: (parts) => quoteForCmd(parts, 2),
  feed(parts, { file = 'cloche-body.bin', encoding } = {}) {
    const buffer = toBuffer(parts);
    const swapped = encoding === 'UTF-16BE' ? '.swap16()' : '';
    const content = encoding === undefined ? buffer : `Buffer.from(String(${buffer}),'utf16le')${swapped}`;
    return {
      before: `node -e "fs.writeFileSync('${file}',${content})" & `,
      file,
      after: ` < ${file}`,
    };
  },
  store: (command, { name, path }) =>
    `${printValue(command, path)} > cloche-value.txt & set /p ${name}=< cloche-value.txt & set ${name}`,
  runBeside: (command, isLast) => (isLast ? command : command.replace('curl -sS', 'start /b curl -sS')),
  assign: (values) =>
    values
      .map(([name, value]) => `set "${name}=${value.replaceAll(/["%]/gu, "'").replaceAll(unprintable, ' ')}"`)
      .join(' & '),
  toLine: (command) => command,
};

/** Quotes a text for PowerShell, to which typographic quotes are quotes too. */
function quoteForPowershell(text: string): string {
  return `'${text.replaceAll(/['\u2018-\u201B]/gu, '$&$&')}'`;
}

/**
 * Passes each command to cmd in one argument. Before 7.3, PowerShell does not escape quotes in an argument, and later
 * versions do except for cmd. (After `--%`, a `|` after an escaped quote would end the command, and `%` has no escape.)
 */
const powershell: Shell = {
  ...cmd,
  store: (command, { name, path }) =>
    `$env:${name} = ${powershell.toLine(printValue(command, path))}; "${name}=$env:${name}"`,
  assign: (values) =>
    values
      .map(([name, value]) => `$env:${name} = ${quoteForPowershell(value.replaceAll(unprintable, ' '))}`)
      .join('; '),
  toLine: (command) => `cmd /s /c ${quoteForPowershell(command)}`,
};

/** The name of a shell for which lines can be printed. */
export type ShellName = 'bash' | 'powershell' | 'cmd';

/** The shells for which lines can be printed, by name. */
export const shells: Readonly<Record<ShellName, Shell>> = { bash, powershell, cmd };
