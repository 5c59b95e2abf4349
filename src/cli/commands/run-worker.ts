import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { ArgumentsOf, Given } from '../../config/command-options.ts';
import { plural } from '../../report/format.ts';
import { readArguments } from '../arguments.ts';
import { interruptSignal } from '../process.ts';
import { describeRedisFailure } from '../../mock/store/redis-store.ts';
import { openQueue, overByInterrupt, type Unit } from '../../queue/open-queue.ts';
import { type RunUnit, takeUnits } from '../../queue/take-units.ts';
import { printText } from '../terminal.ts';
import { startPart } from './run-part.ts';
import type { workerCommand } from './worker.ts';

/** The time between two looks whether it has been idle for too long, in milliseconds. */
const lookMs = 250;
/** The time between two messages of progress to the queue, in milliseconds. */
const progressMs = 2_000;

const print = (text: string): void => printText(process.stderr, text);

/** Runs a unit in a thread. */
const runInThread: RunUnit = async (unit, { report, over, onBail, isFirstTo, onProgress }) => {
  let sentAt = -progressMs;
  const { shard, seed, argv, service, settings } = unit;
  const part = startPart(
    { shard, seed, report, settings, timeFrom: performance.timeOrigin + performance.now() },
    {
      argv,
      service,
      onBail,
      isFirstTo,
      onProgress({ requests, findings }) {
        if (performance.now() - sentAt < progressMs) return;
        sentAt = performance.now();
        onProgress(requests, findings);
      },
    },
  );
  const end = (): void => part.end(over.reason === overByInterrupt ? 'interrupt' : 'stop');
  if (over.aborted) end();
  else over.addEventListener('abort', end);
  const { code, errors } = await part.ended;
  if ([0, 1, 130].includes(code)) return { code, errors };
  print(errors);
  // The command prints it where the worker is not.
  return {
    code,
    errors: `A worker on ${hostname()}, in ${process.cwd()}, could not test a part:\n${errors}`,
  };
};

/**
 * Runs `cloche worker`: takes units until it is stopped or idle for too long.
 *
 * @throws ClocheError for options and queues that cannot be used
 */
export async function runWorker(words: Given<ArgumentsOf<typeof workerCommand>>): Promise<void> {
  const { queue, concurrency, idle = Infinity } = readArguments(words);
  const stopped = interruptSignal();
  const connection = await openQueue(queue, print);
  print(`Takes work from ${connection.place}, ${plural(concurrency, 'part')} at a time. Ctrl+C ends it.`);
  const startedAt = new Map<Unit, number>();
  let lastRefusal = '';
  const worker = takeUnits(connection, {
    concurrency,
    runUnit(unit, of) {
      startedAt.set(unit, performance.now());
      return runInThread(unit, of);
    },
    onRefused(error) {
      const reason = describeRedisFailure(error);
      if (reason !== lastRefusal) print(`The queue ${connection.place} cannot be used: ${reason}.`);
      lastRefusal = reason;
    },
    onDone(unit, outcome) {
      const began = startedAt.get(unit);
      // A unit of a run that is over is not begun.
      if (began === undefined) return;
      const { service = 'the service', shard } = unit;
      const part = shard.total === 1 ? '' : `, part ${shard.index} of ${shard.total}`;
      const seconds = (performance.now() - began) / 1_000;
      startedAt.delete(unit);
      print(`${service}${part}: ${outcome} in ${seconds.toFixed(1)} s`);
    },
  });
  stopped.addEventListener('abort', () => {
    if (startedAt.size > 0)
      print('Ends after what is under way. Ctrl+C again ends it now; another worker takes over.');
  });
  while (!stopped.aborted && worker.idleMs() < idle * 1_000) await wait(lookMs);
  const closed = worker.close().then(() => true);
  while ((await Promise.race([closed, wait(lookMs)])) !== true) {
    // Without Redis, what is under way cannot be reported: another worker takes it when Redis is back.
    if (connection.redis.status !== 'ready') process.exit(0);
  }
}
