import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { packageFile } from '../../document/package-manifest.ts';
import type { PartCommand, PartData, PartMessage, PartProgress } from './worker-part.ts';

/** How a part ended. */
export interface EndedPart {
  readonly code: number;
  /** What it would have printed on standard error. */
  readonly errors: string;
}

/** The process that shares a run out, as one part sees it. */
export interface PartHost {
  /** The words of the command line, after the name of the program. */
  readonly argv: readonly string[];
  /** The name of the service in the configuration, if it has several. */
  readonly service: string | undefined;
  readonly onProgress: (progress: PartProgress) => void;
  /** Called when the part ends its run at a violation. */
  readonly onBail: () => void;
  /** Resolves to whether no other part found this cause before. */
  readonly isFirstTo: (cause: string) => Promise<boolean>;
}

/** A part that runs. */
export interface StartedPart {
  readonly ended: Promise<EndedPart>;
  readonly end: (how: 'interrupt' | 'stop') => void;
}

/**
 * Starts a part of a run in a thread: the command with the options of the whole run, of which the part takes its share.
 * Its report is in the file that `data` names, if it got as far as that.
 */
export function startPart(
  data: PartData,
  { argv, service, onProgress, onBail, isFirstTo }: PartHost,
): StartedPart {
  const env = service === undefined ? process.env : { ...process.env, CLOCHE_SERVICE: service };
  const command = packageFile('dist', 'src', 'cli', 'main.js');
  const thread = new Worker(command, { argv: [...argv], env, workerData: data, stdout: true, stderr: true });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const send = (message: PartCommand): void => thread.postMessage(message);
  thread.stdout.resume();
  const errors = text(thread.stderr);
  const ended = new Promise<number>((resolve, reject) => {
    thread.on('error', reject).on('exit', resolve);
    thread.on('message', (message: PartMessage) => {
      if (message.kind === 'progress') onProgress(message);
      if (message.kind === 'bailed') onBail();
      if (message.kind !== 'found') return;
      const { cause } = message;
      isFirstTo(cause).then((isFirst) => send({ kind: 'answer', cause, isFirst }), reject);
    });
  });
  return {
    ended: ended.then(async (code) => ({ code, errors: await errors })),
    end: (how) => send({ kind: how }),
  };
}
