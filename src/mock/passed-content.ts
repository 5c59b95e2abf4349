import { joinBytes } from '../http/bytes.ts';
import { nextTask } from '../http/next-task.ts';

/** The content of a response that passes from a real service to the client as it arrives. */
export interface PassedContent {
  readonly stream: ReadableStream<Uint8Array>;
  /** Resolves when the content is complete, or was broken off by either side. */
  readonly whenOver: Promise<PassedRecord>;
}

/** What the log shows of passed content. */
export interface PassedRecord {
  readonly length: number;
  /** The content; undefined if it is longer than what is kept of a stream. */
  readonly content: Uint8Array | undefined;
  readonly isComplete: boolean;
}

/** The maximum length of passed content that is kept for the log, in bytes. */
const mostKept = 64 * 1024;

/** Passes content of a service, and records it. */
export function passContent(source: ReadableStream<Uint8Array>): PassedContent {
  const reader = source.getReader();
  let kept: Uint8Array[] = [];
  let length = 0;
  let end: (isComplete: boolean) => void = () => undefined;
  const whenOver = new Promise<PassedRecord>((resolve) => {
    end = (isComplete) =>
      resolve({ length, content: length > mostKept ? undefined : joinBytes(kept), isComplete });
  });
  // A service that breaks off is noticed also while the client does not read.
  reader.closed.catch(() => end(false));
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = await reader.read();
      if (value === undefined) {
        end(true);
        controller.close();
        return;
      }
      length += value.length;
      if (length > mostKept) kept = [];
      else kept.push(value);
      controller.enqueue(value);
    },
    cancel(reason) {
      end(false);
      return reader.cancel(reason);
    },
  });
  return { stream, whenOver };
}

/** Returns the error with which a client notices that its connection was closed. */
export function otherSideClosed(): Error {
  return Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
}

/** Makes content break off in the middle of the first chunk. */
export function breakOff(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let isBegun = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = isBegun ? { value: undefined } : await reader.read();
      isBegun = true;
      if (value !== undefined) {
        controller.enqueue(value.subarray(0, value.length >> 1));
        return;
      }
      await reader.cancel();
      // The half that was just read is written in this task.
      await nextTask();
      controller.error(new TypeError('terminated', { cause: otherSideClosed() }));
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
