import { parentPort, workerData } from 'node:worker_threads';
import type { RunEvent } from '../../events/events.ts';
import type { RunOptions } from '../../session/target.ts';
import type { TestArguments } from './test.ts';

/** What a thread receives at its start: which part of a run it is. */
export interface PartData {
  /** From 1. */
  readonly index: number;
  readonly total: number;
  readonly seed: number;
  /** The file for its JSON report. */
  readonly report: string;
  /** The time that the command had taken before, in milliseconds; it counts for `--max-time`. */
  readonly elapsedMs: number;
}

/** What a thread sends to the command that started it. */
export type PartMessage =
  /** It waits for permission to begin a phase, if need be until no other part is in it. */
  | { readonly kind: 'enter'; readonly phase: number; readonly isAlone: boolean }
  | {
      readonly kind: 'progress';
      readonly requests: number;
      readonly done: number;
      readonly properties: number;
      readonly findings: number;
    }
  /** `--bail`: it found a violation. */
  | { readonly kind: 'bailed' };

/** What a thread receives during a run: to begin its phase, or to end, because of an interrupt or `--bail`. */
export type PartCommand = 'begin' | 'interrupt' | 'stop';

/** One part of a run, in its thread. */
export interface RunPart extends Required<Pick<RunOptions, 'together' | 'signal' | 'timeFrom'>> {
  readonly seed: number;
  /** Returns the options of the part: its shard, its share of the connections, and its report alone. */
  readonly toInput: (whole: TestArguments) => TestArguments;
  /** Sends the progress of the part. */
  readonly emit: (event: RunEvent) => void;
}

/** The time between two messages of progress, in milliseconds: a reader follows no more. */
const progressMs = 200;

/** Returns the part of a run that this thread is; undefined in the command itself. */
export function openPart(): RunPart | undefined {
  // `as`: only `runInWorkers` starts the command in a thread.
  const { index, total, seed, report, elapsedMs } = (workerData ?? {}) as Partial<PartData>;
  const port = parentPort;
  if (port === null || index === undefined || total === undefined) return undefined;
  if (seed === undefined || report === undefined || elapsedMs === undefined) return undefined;
  const interrupted = new AbortController();
  let isOver = false;
  let begin = (): void => undefined;
  port.on('message', (command: PartCommand) => {
    if (command === 'interrupt') interrupted.abort();
    isOver ||= command === 'stop';
    begin();
  });
  // The port alone must not keep the thread alive.
  port.unref();
  const post = (message: PartMessage): void => port.postMessage(message);
  const progress = { requests: 0, done: 0, properties: 0, findings: 0 };
  let sentAt = 0;
  return {
    seed,
    signal: interrupted.signal,
    timeFrom: -elapsedMs,
    together: {
      async enter(phase, isAlone) {
        if (isOver || interrupted.signal.aborted) return;
        const begun = new Promise<void>((resolve) => (begin = resolve));
        port.ref();
        post({ kind: 'enter', phase, isAlone });
        await begun;
        port.unref();
      },
      isOver: () => isOver,
      bailed: () => post({ kind: 'bailed' }),
    },
    toInput: ({ connections, rate, ...whole }) => ({
      ...whole,
      shard: `${index}/${total}`,
      workers: 1,
      connections: Math.max(1, Math.floor(connections / total)),
      rate: rate && rate / total,
      report: [`json=${report}`],
      'update-baseline': false,
    }),
    emit(event) {
      if (event.kind === 'run-started') progress.properties = event.properties;
      progress.requests += event.kind === 'exchange' ? 1 : 0;
      progress.done += event.kind === 'property-finished' ? 1 : 0;
      progress.findings += event.kind === 'finding' ? 1 : 0;
      if (performance.now() - sentAt < progressMs) return;
      sentAt = performance.now();
      post({ kind: 'progress', ...progress });
    },
  };
}
