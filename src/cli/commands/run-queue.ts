import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Given } from '../../config/command-options.ts';
import type { Option } from '../../config/option.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { describeRedisFailure } from '../../mock/store/redis-store.ts';
import { plural } from '../../report/format.ts';
import { readArguments } from '../arguments.ts';
import { interruptSignal, invalidOption } from '../process.ts';
import { openQueue, type QueueConnection } from '../../queue/open-queue.ts';
import { QueuedRun } from '../../queue/queued-run.ts';
import { printText, showProgress } from '../terminal.ts';
import { maskValue } from './run-config.ts';
import { mergeReports } from './run-merge.ts';
import { fingerprintSettings } from './shared-settings.ts';
import { countParts } from './worker-part.ts';
import type { TestArguments } from './test.ts';

const print = (text: string): void => printText(process.stderr, text);

/** The run of all services of a command line. They are settled one after the other. */
interface SharedOut {
  readonly run: QueuedRun;
  readonly connection: QueueConnection;
  readonly signal: AbortSignal;
  /** Resolves when it aborts. */
  readonly interrupted: Promise<undefined>;
  /** Ends the run, and stops the progress line. */
  readonly close: () => Promise<void>;
}

/** The runs by the services of their command lines. */
const runs = new WeakMap<readonly Given<TestArguments>[], Promise<SharedOut>>();

/** What is only shown may be missing while Redis is away. */
const ignore = (): void => undefined;

/** The time without a worker after which the user learns of it, in milliseconds. */
const patienceMs = 3_000;
/** The time that workers have at an interrupt to report what they found, in milliseconds. */
const interruptMs = 30_000;
/** The time between two looks whether Redis is still there at the end of a run, in milliseconds. */
const lookMs = 250;
/** The time between two progress lines, in milliseconds. */
const progressMs = 1_000;

/**
 * Returns the words of the command line for the workers, without the URL of the queue.
 *
 * @throws ClocheError OPTION_INVALID for a secret on the command line: Redis would keep it
 */
function wordsForWorkers({ options, values, origins }: Given<TestArguments>): readonly string[] {
  const declared: Readonly<Record<string, Option>> = options;
  const given = Object.keys(values).filter(
    (name) => values[name] !== undefined && origins?.has(name) !== true && name !== 'queue',
  );
  const secret = given.find((name) => {
    const option = declared[name];
    // What is masked elsewhere must not be in Redis.
    return option !== undefined && !isDeepStrictEqual(maskValue(option, values[name]), values[name]);
  });
  if (secret !== undefined) {
    const reason = 'the queue would keep it';
    const remedy = 'Give it to each cloche worker in its environment, or in the configuration as ${NAME}';
    throw invalidOption(`--${secret}`, reason, remedy);
  }
  const words = process.argv.slice(2);
  return words.filter((word, at) => !/^--queue(?:=|$)/u.test(word) && words[at - 1] !== '--queue');
}

/** Returns the error for what Redis answered, or the error itself. */
function explainRefusal(error: unknown, { place }: QueueConnection): unknown {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return error;
  // A transaction fails with the errors of its commands.
  const previous: unknown = 'previousErrors' in error ? error.previousErrors : undefined;
  const cause: unknown = Array.isArray(previous) ? previous[0] : error;
  return new ClocheError('STORE_UNUSABLE', {
    attempt: 'use the queue',
    subject: place,
    reason: describeRedisFailure(cause),
    remedy: 'Correct that, or name another one',
  });
}

async function shareOut(
  all: readonly Given<TestArguments>[],
  { queue, seed }: { readonly queue: string; readonly seed: number },
): Promise<SharedOut> {
  const [first] = all;
  const argv = first === undefined ? [] : wordsForWorkers(first);
  const services = await Promise.all(
    all.map(async (words) => ({
      name: words.service,
      parts: countParts(readArguments(words)),
      settings: await fingerprintSettings(words),
    })),
  );
  const signal = interruptSignal();
  const interrupted = once(signal, 'abort').then(() => undefined);
  const connection = await openQueue(queue, print);
  const plan = { argv, services, seed, folder: process.cwd() };
  const run = await QueuedRun.open(connection, plan).catch((error: unknown) => {
    connection.redis.disconnect();
    throw explainRefusal(error, connection);
  });
  const isWatched = process.stderr.isTTY && process.env['CI'] === undefined;
  const units = await run.countUnits();
  print(
    run.isResumed
      ? `Goes on with the run that was begun with seed ${run.seed}: ${units.done} of ${plural(units.all, 'part')} done. ` +
          'What is done is not tested again; give another --seed for a new run.'
      : `Shares ${plural(units.all, 'part')} out through ${connection.place}.`,
  );
  async function lookForWorkers(): Promise<void> {
    if ((await run.countWorkers()) > 0) return;
    print(`No worker takes them yet. Start some: npx cloche worker ${connection.place}`);
  }
  async function show(): Promise<void> {
    const { done, all: most } = await run.countUnits();
    showProgress(process.stderr, `${done}/${plural(most, 'part')}`);
  }
  const look = setTimeout(() => void lookForWorkers().catch(ignore), patienceMs);
  const progress = isWatched ? setInterval(() => void show().catch(ignore), progressMs) : undefined;
  return {
    run,
    connection,
    signal,
    interrupted,
    async close() {
      clearTimeout(look);
      clearInterval(progress);
      if (isWatched) showProgress(process.stderr, '');
      const closed = run.close().then(() => true);
      while ((await Promise.race([closed, wait(lookMs)])) !== true) {
        // While Redis is away, nothing can be removed.
        if (connection.redis.status !== 'ready') break;
      }
      connection.redis.disconnect();
    },
  };
}

/** Returns what the parts of a service found until an interrupt; undefined if no worker reports it in time. */
async function settleInterrupted(
  { run, connection }: SharedOut,
  service: number,
): ReturnType<QueuedRun['settle']> {
  // While Redis is away, its commands wait.
  if (connection.redis.status !== 'ready' || (await run.countWorkers()) === 0) return undefined;
  print('Interrupted: waits for what the workers found. Ctrl+C again ends it now.');
  const late = AbortSignal.timeout(interruptMs);
  const settled = run.interrupt().then(() => run.settle(service, late));
  return Promise.race([settled.catch(() => undefined), wait(interruptMs, undefined, { ref: false })]);
}

/**
 * Runs the test of one service by workers, through a queue: the first service shares all of them out. Then waits for its
 * parts, and reports as a whole run does.
 *
 * @param of.all - the arguments of all services of the command line
 * @param of.seed - the seed of the run, unless it was begun before
 * @throws ClocheError for a queue that cannot be used, and as {@link mergeReports}
 */
export async function runQueued(
  input: TestArguments & { readonly queue: string },
  {
    words,
    all,
    seed,
  }: {
    readonly words: Given<TestArguments>;
    readonly all: readonly Given<TestArguments>[];
    readonly seed: number;
  },
): Promise<void> {
  const opened = runs.get(all) ?? shareOut(all, { queue: input.queue, seed });
  runs.set(all, opened);
  const { run, connection, signal, interrupted, close } = await opened;
  const folder = await mkdtemp(join(tmpdir(), 'cloche-queue-'));
  try {
    const settling = run.settle(all.indexOf(words), signal).catch((error: unknown) => {
      throw explainRefusal(error, connection);
    });
    const settled =
      (await Promise.race([settling, interrupted])) ??
      (await settleInterrupted(await opened, all.indexOf(words)));
    if (settled === undefined) {
      print('Interrupted: no worker reports what it found, and nothing of the run is kept.');
      process.exitCode = 130;
    } else if ('errors' in settled) {
      print(settled.errors);
      process.exitCode = settled.code;
    } else {
      const files = settled.map((_, at) => join(folder, `${at + 1}.json`));
      await Promise.all(settled.map((text, at) => writeFile(files[at] ?? '', text)));
      await mergeReports({ ...input, files }, { workers: input.workers });
    }
  } finally {
    await rm(folder, { recursive: true });
    if (signal.aborted || all.at(-1) === words) await close();
  }
}
