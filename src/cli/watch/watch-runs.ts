import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { invalidOption, waitForSignal } from '../process.ts';
import { printLines } from '../terminal.ts';
import { createFileMemory, nameFiles, watchFiles } from './watch-files.ts';

/**
 * Runs the command in a process of its own, and again after each change of a file that it read. Every run thus starts
 * with fresh modules, formats and codecs. A change during a run starts the next run after it. A run that fails, for
 * example because the document is broken, prints its error. SIGINT (Ctrl+C) or SIGTERM ends the current run and the
 * watching; the exit code is that of the last run.
 *
 * @param inputs - the files that the command names, as absolute paths
 * @throws ClocheError OPTION_INVALID if there are none
 */
export async function watchRuns(inputs: readonly string[]): Promise<void> {
  if (inputs.length === 0) {
    const remedy = 'Name a document with -d, or another input, that is a file';
    throw invalidOption('--watch', 'the run reads no local file that could change', remedy);
  }
  const stopped = new AbortController();
  let child: ChildProcess | undefined;
  let wake = (): void => undefined;
  async function stopAtSignal(): Promise<void> {
    const signal = await waitForSignal();
    stopped.abort();
    child?.kill(signal);
    wake();
  }
  void stopAtSignal();
  const memory = createFileMemory();
  let isNoticed = false;
  const watch = watchFiles(() => {
    isNoticed = true;
    wake();
  });

  /** Waits until some of the files differ from their content in the last run, or until the watching is stopped. */
  async function nextChanges(files: readonly string[], began: number): Promise<readonly string[]> {
    watch.set(files);
    for (;;) {
      isNoticed = false;
      const changed = await memory.look(files, began);
      if (changed.size > 0 || stopped.signal.aborted) return [...changed.keys()];
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (isNoticed || stopped.signal.aborted) resolve();
      });
    }
  }

  // Watched files do not keep a process alive.
  const alive = setInterval(() => undefined, 2 ** 30);
  let files = inputs;
  try {
    while (!stopped.signal.aborted) {
      const began = Date.now();
      const run = startRun();
      ({ child } = run);
      const { code, read } = await run.ended;
      process.exitCode = code;
      // A run that failed may not have reached all files.
      files = [...new Set([...(code === 2 ? files : inputs), ...read])];
      if (stopped.signal.aborted) break;
      printLines(process.stderr, ['', `Waiting for a change of ${nameFiles(files)}. Ctrl+C ends.`]);
      const changed = await nextChanges(files, began);
      if (changed.length === 0) break;
      const time = new Date().toTimeString().slice(0, 8);
      printLines(process.stderr, [`${time} ${nameFiles(changed)} changed.`, '']);
    }
  } finally {
    clearInterval(alive);
    watch.close();
  }
}

/** Starts the command of this process without `--watch`. It reports the files that it reads. */
function startRun(): {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly read: readonly string[]; readonly code: number }>;
} {
  const words = process.argv.slice(1);
  const end = words.indexOf('--');
  const single = words.toSpliced(end === -1 ? words.length : end, 0, '--no-watch');
  const child = spawn(process.execPath, [...process.execArgv, ...single], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const read = new Set<string>();
  child.on('message', (message) => {
    if (typeof message === 'object' && 'read' in message) read.add(String(message.read));
  });
  // All messages have arrived when the channel is closed.
  const closed = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  return { child, ended: closed.then(() => ({ read: [...read], code: child.exitCode ?? 130 })) };
}
