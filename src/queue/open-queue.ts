import type * as BullMQ from 'bullmq';
import type { Redis } from 'ioredis';
import { readVersion } from '../document/package-manifest.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { Shard } from '../events/events.ts';
import { loadDriver, parseStoreUrl } from '../mock/store/driver.ts';
import { describeRedisFailure } from '../mock/store/redis-store.ts';

/** What a worker needs to run one part of the test of one service. */
export interface Unit {
  /** The id of the run. */
  readonly run: string;
  /** The name of the service in the configuration; undefined if it has none. */
  readonly service: string | undefined;
  /** The words of the command line, after the name of the program. */
  readonly argv: readonly string[];
  readonly shard: Shard;
  readonly seed: number;
  /** The fingerprints of the settings of the command, by option. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** A connection to the Redis whose queue has the units. */
export interface QueueConnection {
  readonly bullmq: typeof BullMQ;
  readonly redis: Redis;
  /** The URL, without a secret. */
  readonly place: string;
  /** The options of everything that BullMQ opens here. */
  readonly options: { readonly connection: Redis; readonly prefix: string };
  /** The name of the queue. Workers take only units that their own version of Cloche made. */
  readonly name: string;
  /** Returns the key of the hash that the coordinator and the workers of a run share. */
  readonly keyOf: (run: string) => string;
}

/** The fields of the hash of a run: its seed, who found a cause first, and which services are over. */
export const runFields = {
  seed: 'seed',
  cause: (service: string | undefined, id: string): string => `cause ${service ?? ''} ${id}`,
  over: (service?: string): string => `over ${service ?? ''}`,
};

/** The value of the field of a service that is over because the user interrupted its run. */
export const overByInterrupt = 'interrupted';

/** The prefix of all keys, unless the URL has another one. */
const usualName = 'queue';
const usualPrefix = `cloche:${usualName}`;

/** Returns the error for a queue from that for a store, with another remedy if there is one. */
function refuseQueue(error: unknown, advice?: string): unknown {
  if (!(error instanceof ClocheError)) return error;
  const { code, subject, reason } = error;
  const remedy = advice ?? error.remedy;
  return new ClocheError(code, { attempt: 'open the queue', subject, reason, remedy, cause: error });
}

/** Parses the URL of a queue, which is that of a store in a Redis. */
function parseQueueUrl(url: string): Extract<ReturnType<typeof parseStoreUrl>, { readonly kind: 'redis' }> {
  try {
    const parsed = parseStoreUrl(url, usualName);
    if (parsed.kind === 'redis') return parsed;
  } catch (error) {
    throw refuseQueue(error, 'Write it as in redis://[user:password@]host[:port][/database][?prefix=name]');
  }
  throw new Error('a redis: URL names a Redis');
}

/**
 * Connects to the Redis of `redis://[user:password@]host[:port][/database][?prefix=name]`. Afterwards, commands wait
 * while it is away.
 *
 * @param notify - receives a sentence when Redis goes away, and when it is back
 * @throws ClocheError OPTION_INVALID for another URL, STORE_UNUSABLE if Redis cannot be reached, or a package is missing
 */
export async function openQueue(url: string, notify: (sentence: string) => void): Promise<QueueConnection> {
  if (!/^rediss?:/iu.test(url)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'open the queue',
      subject: url.replace(/\/\/.*@/su, '//***@'),
      reason: 'it is no URL of a Redis',
      remedy: 'Write it as in redis://localhost:6379',
    });
  }
  const parsed = parseQueueUrl(url);
  const { prefix } = parsed;
  const place = parsed.place.replace('/0?', '?').replace(`?prefix=${usualPrefix}`, '');
  const load = async <T>(name: 'bullmq' | 'ioredis', module: () => Promise<T>): Promise<T> =>
    loadDriver(name, place, module).catch((error: unknown) => {
      throw refuseQueue(error);
    });
  const bullmq = await load('bullmq', () => import('bullmq'));
  const ioredis = await load('ioredis', () => import('ioredis'));
  const redis = new ioredis.Redis(parsed.url, {
    lazyConnect: true,
    // BullMQ demands it: its commands wait for Redis to come back.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(100 * times, 2_000),
  });
  let failure: unknown;
  let isAway = false;
  redis.on('error', (error: unknown) => (failure = error));
  try {
    await redis.connect();
    // The client goes on with database 0 if there is none of that number.
    await redis.select(redis.options.db ?? 0);
  } catch (error) {
    redis.disconnect();
    const reason = describeRedisFailure(failure ?? error);
    const remedy = 'Start it, or name another one';
    throw new ClocheError('STORE_UNUSABLE', { attempt: 'open the queue', subject: place, reason, remedy });
  }
  redis.on('close', () => {
    if (isAway || redis.status === 'end') return;
    isAway = true;
    notify(`The queue ${place} is away. Goes on when it is back.`);
  });
  redis.on('ready', () => {
    if (isAway) notify(`The queue ${place} is back.`);
    isAway = false;
  });
  return {
    bullmq,
    redis,
    place,
    options: { connection: redis, prefix },
    name: `units-${readVersion()}`,
    keyOf: (run) => `${prefix}:run:${run}`,
  };
}
