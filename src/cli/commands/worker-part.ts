import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { RunEvent, Shard } from '../../events/events.ts';
import type { RunOptions } from '../../session/target.ts';
import type { SettingFingerprints } from './shared-settings.ts';
import type { TestArguments } from './test.ts';

/** What a thread receives at its start: which part of a run it is. */
export interface PartData {
  /** The last of several parts has the properties that run alone. */
  readonly shard: Shard;
  readonly seed: number;
  /** The file for its JSON report. */
  readonly report: string;
  /** The time from which `--max-time` counts, in milliseconds since 1970: each thread has a clock of its own. */
  readonly timeFrom: number;
  /** The fingerprints of the settings of the command, if that is another process. */
  readonly settings?: SettingFingerprints | undefined;
}

/** The progress of a part so far. */
export interface PartProgress {
  readonly requests: number;
  /** The number of properties that came to their end. */
  readonly done: number;
  readonly properties: number;
  readonly findings: number;
}

/** What a thread sends to the process that started it. */
export type PartMessage =
  | ({ readonly kind: 'progress' } & PartProgress)
  /** It found a cause, and waits for an `answer` before it makes the case smaller. */
  | { readonly kind: 'found'; readonly cause: string }
  /** `--bail`: it found a violation. */
  | { readonly kind: 'bailed' };

/** What a thread receives during a run: an answer, or to end, because of an interrupt or `--bail`. */
export type PartCommand =
  | { readonly kind: 'answer'; readonly cause: string; readonly isFirst: boolean }
  | { readonly kind: 'interrupt' | 'stop' };

/** One part of a run, in its thread. */
export interface RunPart
  extends
    Required<Pick<RunOptions, 'together' | 'signal' | 'timeFrom'>>,
    Pick<PartData, 'seed' | 'shard' | 'settings'> {
  /** Returns the options of the part: its shard, its share of the connections, and its report alone. */
  readonly toInput: (whole: TestArguments) => TestArguments;
  /** Sends the progress of the part. */
  readonly emit: (event: RunEvent) => void;
}

/** Returns the number of parts that run side by side: each has at least one of the connections. */
export function countParts({ workers, connections }: Pick<TestArguments, 'workers' | 'connections'>): number {
  return Math.min(workers, connections);
}

/** The time between two messages of progress, in milliseconds: a reader follows no more. */
const progressMs = 200;

/** Returns the part of a run that this thread is; undefined in the command itself. */
export function openPart(): RunPart | undefined {
  // `as`: only `startPart` starts the command in a thread.
  const { shard, seed, report, timeFrom, settings } = (workerData ?? {}) as Partial<PartData>;
  const port = parentPort;
  if (port === null || shard === undefined || seed === undefined) return undefined;
  if (report === undefined || timeFrom === undefined) return undefined;
  const interrupted = new AbortController();
  let isOver = false;
  const asked = new Map<string, (isFirst: boolean) => void>();
  port.on('message', (command: PartCommand) => {
    if (command.kind === 'interrupt') interrupted.abort();
    isOver ||= command.kind === 'stop';
    if (command.kind === 'answer') asked.get(command.cause)?.(command.isFirst);
  });
  // The port alone must not keep the thread alive.
  port.unref();
  const post = (message: PartMessage): void => port.postMessage(message);
  const progress = { requests: 0, done: 0, properties: 0, findings: 0 };
  let sentAt = 0;
  const isAlone = shard.index === shard.total;
  const beside = isAlone ? 1 : shard.total - 1;
  return {
    seed,
    shard,
    settings,
    signal: interrupted.signal,
    timeFrom: timeFrom - performance.timeOrigin,
    together: {
      isOver: () => isOver,
      bailed: () => post({ kind: 'bailed' }),
      async isFirstTo(cause) {
        port.ref();
        const answered = new Promise<boolean>((resolve) => {
          const before = asked.get(cause);
          asked.set(cause, (isFirst) => {
            before?.(isFirst);
            resolve(isFirst);
          });
        });
        post({ kind: 'found', cause });
        const isFirst = await answered;
        asked.delete(cause);
        if (asked.size === 0) port.unref();
        return isFirst;
      },
    },
    toInput: ({ connections, rate, baseline, 'update-baseline': isUpdating, ...whole }) => ({
      ...whole,
      shard: `${shard.index}/${shard.total}`,
      workers: 1,
      queue: undefined,
      connections: Math.floor(connections / beside),
      rate: rate && rate / beside,
      report: [`json=${report}`],
      'update-baseline': false,
      // The first run that updates a baseline has none to read.
      baseline: isUpdating && baseline !== undefined && !existsSync(baseline) ? undefined : baseline,
    }),
    emit(event) {
      if (event.kind === 'run-started') progress.properties = event.properties;
      progress.requests += event.kind === 'exchange' ? 1 : 0;
      progress.done += event.kind === 'property-finished' ? 1 : 0;
      progress.findings += event.kind === 'finding' ? 1 : 0;
      if (performance.now() - sentAt < progressMs && event.kind !== 'run-finished') return;
      sentAt = performance.now();
      post({ kind: 'progress', ...progress });
    },
  };
}
