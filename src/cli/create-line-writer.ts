/** Writes lines in batches. */
export interface LineWriter {
  write(line: string): void;
  /** Hands over what has not been written yet. */
  flush(): void;
}

/** How long a line may wait for others, in milliseconds; a reader does not notice it. */
const longestWaitMs = 20;
/** How many characters may wait where the reader is slower than the writer; the rest is dropped and counted. */
const mostWaiting = 16 * 1_024 * 1_024;

/**
 * Creates a writer that gathers the lines of some milliseconds into one write: a write for each request
 * would cost more than the request.
 */
export function createLineWriter(
  stream: NodeJS.WritableStream & { readonly writableLength: number },
): LineWriter {
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
      waiting += `${line}\n`;
      timer ??= setTimeout(flush, longestWaitMs);
    },
  };
}
