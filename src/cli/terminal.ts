import { isAbsolute, relative } from 'node:path';
import { escapeInStrings, toConsoleLine } from '../errors/console-text.ts';
import { errorCode } from '../http/failures.ts';
import { indentJson } from '../json/print.ts';
import type { JsonValue } from '../json/value.ts';
import { unwritableFile } from './file-sink.ts';

/** A document as it is named in what is printed: from the current folder on, where it lies below it. */
export function showSource(source: string): string {
  const short = isAbsolute(source) ? relative(process.cwd(), source) : source;
  return short === '' || short.startsWith('..') ? source : short;
}

/** What is printed to: standard output, or standard error. */
type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly writableLength: number };

/**
 * Has no command end for an output that cannot be written. A reader may stop (`| head`, a closed terminal), which is no
 * failure; of any other, such as a full disk, it is said once, and the command has not succeeded.
 */
export function watchOutput(): void {
  let isLost = false;
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (cause) => {
    if (isLost || errorCode(cause) === 'EPIPE') return;
    isLost = true;
    const { message, exitCode } = unwritableFile('to', 'standard output', cause);
    printText(process.stderr, message);
    // A command sets its own at its end, which may come later.
    process.once('exit', () => {
      process.exitCode ||= exitCode;
    });
  });
}

/** The columns of the terminal, or of COLUMNS; undefined where nothing says, as for a file or a pipe. */
export function terminalWidth(stream: { readonly columns?: number } = process.stdout): number | undefined {
  // A terminal that nobody gave a size, as in a container, has none.
  return [stream.columns, Number(process.env['COLUMNS'])].find(
    (columns) => columns !== undefined && Number.isInteger(columns) && columns > 0,
  );
}

/** Whether what reads a stream shows colours, and its reader wants them (no-color.org). */
export function hasColour(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && process.env['NO_COLOR'] === undefined;
}

/** Prints lines for a person. What in them is not ours is shown escaped: nothing else writes text to a terminal. */
export function printLines(stream: Stream, lines: readonly string[]): void {
  const isColoured = hasColour(stream);
  stream.write(lines.map((line) => `${toConsoleLine(line, isColoured)}\n`).join(''));
}

/** Prints a text that ends lines itself, as an error with a list does. */
export function printText(stream: Stream, text: string): void {
  printLines(stream, text.replace(/\n$/u, '').split('\n'));
}

/** Prints a value for a program, as JSON over several lines. */
export function printJson(value: JsonValue): void {
  process.stdout.write(`${escapeInStrings(indentJson(value))}\n`);
}

/** Shows the last line of a terminal anew, or takes it away when empty. */
export function showProgress(stream: Stream & { readonly columns?: number }, line: string): void {
  const shown = toConsoleLine(line, false).slice(0, (terminalWidth(stream) ?? 80) - 1);
  stream.write(`\r\u001B[2K${shown}`);
}

interface LineWriter {
  write(line: string): void;
  /** Hands over what has not been written yet. */
  flush(): void;
}

/** How long a line may wait for others, in milliseconds; a reader does not notice it. */
const longestWaitMs = 20;
/** How many characters may wait where the reader is slower than the writer; the rest is dropped and counted. */
const mostWaiting = 16 * 1_024 * 1_024;

/** Gathers the lines of some milliseconds into one write: one for each request would cost more than that. */
export function createLineWriter(stream: Stream, kind: 'text' | 'json' = 'text'): LineWriter {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  let dropped = 0;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== '') {
      stream.write(dropped === 0 ? waiting : `${waiting}… ${dropped} lines left out, as nobody reads them\n`);
      waiting = '';
      dropped = 0;
    }
  }

  return {
    flush,
    write(line) {
      if (waiting.length + stream.writableLength > mostWaiting) {
        dropped += 1;
        return;
      }
      waiting += `${kind === 'json' ? escapeInStrings(line) : toConsoleLine(line, hasColour(stream))}\n`;
      timer ??= setTimeout(flush, longestWaitMs);
    },
  };
}
