import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import type { FlowJob, FlowProducer, Job, Queue } from 'bullmq';
import { ClocheError } from '../errors/cloche-error.ts';
import { fingerprint } from '../json/fingerprint.ts';
import { overByInterrupt, type QueueConnection, runFields, type Unit } from './open-queue.ts';

/** A service to test, and the number of parts that run side by side. */
interface QueuedService {
  /** Its name in the configuration; undefined if that has none. */
  readonly name: string | undefined;
  readonly parts: number;
  /** The fingerprints of its settings, by option. Workers that have others refuse its parts. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** What is to be tested. */
interface RunPlan {
  readonly services: readonly QueuedService[];
  /** The words of the command line, after the name of the program. */
  readonly argv: readonly string[];
  /** The folder of the command, which tells it from runs with the same words elsewhere. */
  readonly folder: string;
  /** The seed of all units, unless the run was begun before with another one. */
  readonly seed: number;
}

/** A unit that failed too often. */
export interface FailedUnit {
  /** The exit code of its thread. */
  readonly code: number;
  /** What the command would have printed on standard error. */
  readonly errors: string;
}

/** The time between two looks at units that are not done, in milliseconds. */
const lookMs = 250;
/** The time after which a coordinator that does not report counts as dead, in milliseconds. */
const leaseMs = 10_000;
/** The time after which Redis deletes a run without a coordinator, in seconds. */
const keepSeconds = 2 * 24 * 60 * 60;
/** The time for which the same command goes on with a run whose coordinator died, in seconds. Later, a service may have changed. */
const resumeSeconds = 15 * 60;
/** How often a unit is tried whose worker fails; one whose worker dies is tried again in any case. */
const attempts = 3;

/** A message that does not arrive, because Redis is away, must not end the run. */
const ignore = (): void => undefined;

/**
 * A run whose units are in a queue. The state is in Redis: a coordinator that dies and is started again with the same
 * command goes on with the run.
 */
export class QueuedRun {
  /** Whether an earlier coordinator began it. */
  readonly isResumed: boolean;
  readonly seed: number;
  readonly #connection: QueueConnection;
  readonly #plan: RunPlan;
  readonly #id: string;
  readonly #queue: Queue<Unit, string>;
  readonly #flows: FlowProducer;
  readonly #keys: readonly string[];
  readonly #renewal: NodeJS.Timeout;

  private constructor(
    connection: QueueConnection,
    plan: RunPlan,
    of: {
      readonly id: string;
      readonly seed: number;
      readonly isResumed: boolean;
      /** The key that names the run of a command. */
      readonly began: string;
      /** The key of the process that coordinates it. */
      readonly lease: string;
    },
  ) {
    const { bullmq, name, options, redis } = connection;
    this.#connection = connection;
    this.#plan = plan;
    this.#id = of.id;
    this.seed = of.seed;
    this.isResumed = of.isResumed;
    this.#keys = [connection.keyOf(of.id), of.began, of.lease];
    this.#queue = new bullmq.Queue<Unit, string>(name, options);
    this.#flows = new bullmq.FlowProducer(options);
    // The connection has its own listener, which reports an outage once.
    this.#queue.on('error', ignore);
    this.#flows.on('error', ignore);
    this.#renewal = setInterval(() => {
      redis.set(of.lease, 'held', 'PX', leaseMs).catch(ignore);
      redis.expire(of.began, resumeSeconds).catch(ignore);
    }, leaseMs / 3);
  }

  /**
   * Begins a run, or goes on with one that was begun with the same command and never ended.
   *
   * @throws ClocheError OPTION_INVALID if another process coordinates it
   */
  static async open(connection: QueueConnection, plan: RunPlan): Promise<QueuedRun> {
    const { redis, keyOf, place, name } = connection;
    const command = fingerprint(JSON.stringify([name, plan.argv, plan.services, plan.folder]));
    const began = keyOf(command);
    const lease = `${began}:coordinator`;
    // A coordinator that died keeps its lease for some seconds.
    for (const until = performance.now() + 1.5 * leaseMs; ; await wait(lookMs)) {
      if ((await redis.set(lease, 'held', 'PX', leaseMs, 'NX')) !== null) break;
      if (performance.now() < until) continue;
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'begin the run in the queue',
        subject: place,
        reason: 'another process coordinates a run of the same command there',
        remedy: 'Wait for its end, or give this run another --seed',
      });
    }
    const fresh = `${plan.seed} ${randomUUID()}`;
    const isNew = (await redis.set(began, fresh, 'EX', resumeSeconds, 'NX')) !== null;
    const [seed = '', id = ''] = ((await redis.get(began)) ?? fresh).split(' ');
    const run = new QueuedRun(connection, plan, { id, seed: Number(seed), isResumed: !isNew, began, lease });
    try {
      await Promise.all(plan.services.map((_, at) => run.#add(at)));
    } catch (error) {
      await run.close().catch(ignore);
      throw error;
    }
    return run;
  }

  /** Returns the number of workers that are connected. */
  countWorkers(): Promise<number> {
    return this.#queue.getWorkersCount();
  }

  /** Returns the number of units of all services that are done, and of all there are. */
  async countUnits(): Promise<{ readonly done: number; readonly all: number }> {
    const units = this.#plan.services.flatMap((_, at) => this.#unitsOf(at));
    const multi = this.#connection.redis.pipeline();
    units.forEach((id) => multi.zscore(this.#queue.toKey('completed'), id));
    const scores = (await multi.exec()) ?? [];
    return { done: scores.filter(([, score]) => score !== null).length, all: units.length };
  }

  /**
   * Waits for all units of a service, by its place in the plan. Puts units that Redis lost into the queue again.
   *
   * @returns the JSON reports of its parts, in their order, or the first unit that failed; undefined if `signal` aborted
   */
  async settle(service: number, signal: AbortSignal): Promise<readonly string[] | FailedUnit | undefined> {
    const ids = this.#unitsOf(service);
    while (!signal.aborted) {
      const failed = await this.#findFailed(ids);
      if (failed !== undefined) return readFailure(failed);
      const jobs = await Promise.all(ids.map((id) => this.#queue.getJob(id)));
      const found = jobs.filter((job) => job !== undefined);
      const results = found.map(({ returnvalue }) => returnvalue).filter((result) => result !== null);
      if (results.length === ids.length) {
        return results.map((result) => inflateSync(Buffer.from(result, 'base64')).toString());
      }
      if (found.length < ids.length) await this.#add(service);
      await wait(lookMs);
    }
    return undefined;
  }

  /** Has the workers end all units: those under way report what they found, and the others that they were interrupted. */
  async interrupt(): Promise<void> {
    const { redis, keyOf } = this.#connection;
    const over = this.#plan.services.flatMap(({ name }) => [runFields.over(name), overByInterrupt]);
    await redis.hset(keyOf(this.#id), ...over);
  }

  /** Ends the run: workers end the units that they are at, and all others are removed. */
  async close(): Promise<void> {
    const { redis } = this.#connection;
    clearInterval(this.#renewal);
    await redis.del(...this.#keys).catch(ignore);
    const units = this.#plan.services.flatMap((_, at) => this.#unitsOf(at));
    for (const id of units.toReversed()) {
      // A unit that a worker is at cannot be removed. The worker ends it, and Redis deletes it later.
      await this.#queue.remove(id).catch(ignore);
      const keys = ['', ':dependencies', ':processed', ':failed', ':unsuccessful'];
      await Promise.all(
        keys.map((key) => redis.expire(`${this.#queue.toKey(id)}${key}`, keepSeconds).catch(ignore)),
      );
    }
    await this.#queue.close();
    await this.#flows.close();
    redis.disconnect();
  }

  #unitsOf(service: number): readonly string[] {
    const parts = this.#plan.services[service]?.parts ?? 0;
    const total = parts === 1 ? 1 : parts + 1;
    return Array.from({ length: total }, (_, at) => `${this.#id}-${service}-${at + 1}`);
  }

  /** Puts the units of a service into the queue; those that are there already stay as they are. */
  async #add(service: number): Promise<void> {
    const { redis, keyOf } = this.#connection;
    // Workers end the units of a run without a seed, so it must be there first, also if Redis lost it.
    await redis.hset(keyOf(this.#id), runFields.seed, String(this.seed));
    await redis.expire(keyOf(this.#id), keepSeconds);
    const { argv, services } = this.#plan;
    const ids = this.#unitsOf(service);
    const isShared = ids.length > 1;
    const [last, ...others] = ids
      .map((jobId, at): FlowJob & { readonly data: Unit } => ({
        name: services[service]?.name ?? 'service',
        queueName: this.#connection.name,
        data: {
          run: this.#id,
          service: services[service]?.name,
          settings: services[service]?.settings,
          argv,
          seed: this.seed,
          shard: { index: at + 1, total: ids.length, ...(isShared && { isLastAlone: true }) },
        },
        opts: {
          jobId,
          attempts,
          backoff: { type: 'exponential', delay: 1_000 },
          removeOnFail: { age: keepSeconds },
          removeOnComplete: { age: keepSeconds },
          ...(at + 1 < ids.length && { failParentOnFailure: true }),
        },
      }))
      .toReversed();
    // What runs alone waits for the other parts.
    if (last !== undefined) await this.#flows.add({ ...last, children: others.toReversed() });
  }

  /**
   * Returns the unit of a service that failed. Its reason is read after its state, and the state of what waits for the
   * others before theirs: between two answers, a unit may fail, and then that one too, which does not know the reason.
   */
  async #findFailed(ids: readonly string[]): Promise<Job<Unit, string> | undefined> {
    let failed: string | undefined;
    for (const id of ids.toReversed()) {
      if ((await this.#queue.getJobState(id)) === 'failed') failed = id;
    }
    return failed === undefined ? undefined : this.#queue.getJob(failed);
  }
}

/** Reads the reason of a unit that failed, as `runJob` in take-units.ts writes it. */
function readFailure({ failedReason }: Job<Unit, string>): FailedUnit {
  const [, code, errors] = /^exit code (\d+): (.*)$/su.exec(failedReason ?? '') ?? [];
  return { code: Number(code ?? 4), errors: errors ?? failedReason ?? '' };
}
