import { isAbsolute, relative } from 'node:path';
import { escapeInStrings, toConsoleLine } from '../errors/console-text.ts';
import { errorCode } from '../http/failures.ts';
import { indentJson } from '../json/print.ts';
import type { JsonValue } from '../json/value.ts';
import { unwritableFile } from './file-sink.ts';

/** Returns the printed name of a document: a path relative to the current folder if it is below that folder. */
export function showSource(source: string): string {
  const short = isAbsolute(source) ? relative(process.cwd(), source) : source;
  return short === '' || short.startsWith('..') ? source : short;
}

/** Standard output or standard error. */
type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly writableLength: number };

/**
 * Prevents an unwritable output from ending a command. A reader may stop (`| head`, a closed terminal), which is no
 * failure. Any other error, for example a full disk, is printed once, and the command fails.
 */
export function watchOutput(): void {
  let isLost = false;
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (cause) => {
    if (isLost || errorCode(cause) === 'EPIPE') return;
    isLost = true;
    const { message, exitCode } = unwritableFile('to', 'standard output', cause);
    printText(process.stderr, message);
    // A command sets its exit code at its end, which may come later.
    process.once('exit', () => {
      process.exitCode ||= exitCode;
    });
  });
}

/** Returns the columns of the terminal, or of COLUMNS; undefined if unknown, as for a file or a pipe. */
export function terminalWidth(stream: { readonly columns?: number } = process.stdout): number | undefined {
  // A terminal may have no size, for example in a container.
  return [stream.columns, Number(process.env['COLUMNS'])].find(
    (columns) => columns !== undefined && Number.isInteger(columns) && columns > 0,
  );
}

/** Returns whether a stream is a terminal that shows colours, and its user wants them (no-color.org). */
export function hasColour(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && process.env['NO_COLOR'] === undefined;
}

/** Prints lines for a person, and escapes foreign text. No other function writes text to a terminal. */
export function printLines(stream: Stream, lines: readonly string[]): void {
  const isColoured = hasColour(stream);
  stream.write(lines.map((line) => `${toConsoleLine(line, isColoured)}\n`).join(''));
}

/** Prints a text that contains line ends, for example an error with a list. */
export function printText(stream: Stream, text: string): void {
  printLines(stream, text.replace(/\n$/u, '').split('\n'));
}

/** Prints a value for a program, as JSON over several lines. */
export function printJson(value: JsonValue): void {
  process.stdout.write(`${escapeInStrings(indentJson(value))}\n`);
}

/** Replaces the last line of a terminal, or removes it if the new line is empty. */
export function showProgress(stream: Stream & { readonly columns?: number }, line: string): void {
  const shown = toConsoleLine(line, false).slice(0, (terminalWidth(stream) ?? 80) - 1);
  stream.write(`\r\u001B[2K${shown}`);
}

interface LineWriter {
  write(line: string): void;
  /** Writes the lines that have not been written yet. */
  flush(): void;
}

/** Maximum time that a line waits for others, in milliseconds; a reader does not notice it. */
const longestWaitMs = 20;
/** Maximum number of characters that wait for a slow reader; further lines are dropped and counted. */
const mostWaiting = 16 * 1_024 * 1_024;

/** Creates a writer that combines the lines of some milliseconds into one write: one per request would cost more. */
export function createLineWriter(stream: Stream, kind: 'text' | 'json' = 'text'): LineWriter {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  let dropped = 0;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== '') {
      stream.write(
        dropped === 0 ? waiting : `${waiting}… ${dropped} lines omitted, because the output is not read\n`,
      );
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

/** Formats a number of resources in words. */
export function countResources(count: number): string {
  return count === 1 ? '1 resource' : `${count} resources`;
}
