import type { Dispatcher } from 'undici';
import { nextTask } from './next-task.ts';

/** The content of a response that passes on as it arrives: undici writes it, and a reader of the stream reads it. */
export interface PassingStream {
  readonly stream: ReadableStream<Uint8Array>;
  readonly write: (chunk: Uint8Array) => void;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Creates the stream of a response in progress. The response pauses while a chunk waits for the reader, and is aborted
 * if the reader cancels the stream. After a failure, the reader first gets the content that arrived before.
 */
export function createPassingStream(
  response: Pick<Dispatcher.DispatchController, 'pause' | 'resume' | 'abort'>,
): PassingStream {
  let target: ReadableStreamDefaultController<Uint8Array> | undefined;
  let failure: { readonly error: unknown } | undefined;
  const hasRoom = (): boolean => (target?.desiredSize ?? 0) > 0;
  async function breakOff(error: unknown): Promise<void> {
    // A chunk that was just read is written in this task.
    await nextTask();
    target?.error(error);
  }
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      target = controller;
    },
    pull() {
      if (failure !== undefined) return breakOff(failure.error);
      response.resume();
      return undefined;
    },
    cancel() {
      response.abort(new Error('The stream is no longer read.'));
    },
  });
  return {
    stream,
    write(chunk) {
      // The parser of undici emits one when it resumes. To pause again for it would repeat that forever.
      if (chunk.length === 0) return;
      target?.enqueue(chunk);
      if (!hasRoom()) response.pause();
    },
    end: () => target?.close(),
    fail(error) {
      failure = { error };
      if (hasRoom()) void breakOff(error);
    },
  };
}
