import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Job } from 'bullmq';
import { type QueueConnection, runFields, type Unit } from './open-queue.ts';

/** What runs a unit: it writes the JSON report into a file, and resolves to how it ended. */
export type RunUnit = (
  unit: Unit,
  of: {
    /** The file for the report. */
    readonly report: string;
    /** Aborts when the run or its service is over, with {@link overByInterrupt} as its reason at an interrupt. */
    readonly over: AbortSignal;
    /** Called when the unit ends its service at a violation. */
    readonly onBail: () => void;
    /** Resolves to whether no other unit of the service found this cause before. */
    readonly isFirstTo: (cause: string) => Promise<boolean>;
    readonly onProgress: (requests: number, findings: number) => void;
  },
) => Promise<{ readonly code: number; readonly errors: string }>;

/** How a worker takes units. */
interface WorkerOptions {
  /** The number of units that it runs at the same time. */
  readonly concurrency: number;
  readonly runUnit: RunUnit;
  /** Called with an error that Redis answered. */
  readonly onRefused: (error: Error) => void;
  /** Called after each unit. */
  readonly onDone: (unit: Unit, outcome: 'done' | 'failed') => void;
}

/** A worker that takes units until it is closed. */
export interface TakingUnits {
  /** Takes no more units, and waits for those under way. */
  readonly close: () => Promise<void>;
  /** Returns how long it has had no unit, in milliseconds; 0 while it has one. */
  readonly idleMs: () => number;
}

/** The time after which a unit whose worker does not report is given to another one, in milliseconds. */
const lockMs = 15_000;
/** The time between two looks whether a run is over, in milliseconds. */
const lookMs = 1_000;

/** A message that does not arrive, because Redis is away, must not end the worker. */
const ignore = (): void => undefined;

/** Takes units from a queue and runs them. */
export function takeUnits(
  connection: QueueConnection,
  { concurrency, runUnit, onRefused, onDone }: WorkerOptions,
): TakingUnits {
  const { bullmq, name, options } = connection;
  let open = 0;
  let idleSince = performance.now();

  async function take(job: Job<Unit, string>): Promise<string> {
    open += 1;
    try {
      const result = await runJob(job, connection, runUnit);
      onDone(job.data, 'done');
      return result;
    } catch (error) {
      onDone(job.data, 'failed');
      throw error;
    } finally {
      open -= 1;
      idleSince = performance.now();
    }
  }

  const worker = new bullmq.Worker<Unit, string>(name, take, {
    ...options,
    concurrency,
    lockDuration: lockMs,
    stalledInterval: lockMs / 3,
    // A unit is not to blame for the workers that die; only one that kills many is given up.
    maxStalledCount: 10,
  });
  // The connection has its own listener, which reports an outage once.
  worker.on('error', (error) => (error.name === 'ReplyError' ? onRefused(error) : undefined));
  return {
    async close() {
      await worker.close();
      connection.redis.disconnect();
    },
    idleMs: () => (open > 0 ? 0 : performance.now() - idleSince),
  };
}

async function runJob(
  job: Job<Unit, string>,
  { bullmq, redis, keyOf }: QueueConnection,
  runUnit: RunUnit,
): Promise<string> {
  const unit = job.data;
  const key = keyOf(unit.run);
  const { service, shard } = unit;
  const folder = await mkdtemp(join(tmpdir(), 'cloche-unit-'));
  const report = join(folder, 'report.json');
  const over = new AbortController();
  const look = setInterval(() => {
    redis
      .hmget(key, runFields.seed, runFields.over(service))
      // Without its seed, the run was ended.
      .then(([seed, isOver]) => (seed === null || isOver !== null ? over.abort(isOver) : undefined))
      .catch(ignore);
  }, lookMs);
  try {
    const [seed, isOver] = await redis.hmget(key, runFields.seed, runFields.over(service));
    if (seed === null) throw new bullmq.UnrecoverableError('the run is over');
    if (isOver !== null) over.abort(isOver);
    const { code, errors } = await runUnit(unit, {
      report,
      over: over.signal,
      onBail: () => void redis.hset(key, runFields.over(service), 'bailed').catch(ignore),
      async isFirstTo(cause) {
        const field = runFields.cause(service, cause);
        // A unit that is run again is the first one still.
        await redis.hsetnx(key, field, String(shard.index));
        return (await redis.hget(key, field)) === String(shard.index);
      },
      onProgress: (requests, findings) => void job.updateProgress({ requests, findings }).catch(ignore),
    });
    if (existsSync(report)) return deflateSync(readFileSync(report)).toString('base64');
    const reason = `exit code ${code}: ${errors.trimEnd()}`;
    // What is wrong with the options or the document is wrong at the next try too.
    throw code === 2 ? new bullmq.UnrecoverableError(reason) : new Error(reason);
  } finally {
    clearInterval(look);
    await rm(folder, { recursive: true });
  }
}
