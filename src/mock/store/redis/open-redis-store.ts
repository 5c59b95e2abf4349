import { ClocheError } from '../../../errors/cloche-error.ts';
import { createOutage } from '../create-outage.ts';
import { loadDriver } from '../load-driver.ts';
import { createRedisStore } from '../redis-store.ts';
import type { Store } from '../store.ts';
import { describeRedisFailure } from './describe-redis-failure.ts';
import { createRedisConnection } from './redis-connection.ts';
import { findOtherVersion } from './redis-scripts.ts';

/** Longer than any script takes, in milliseconds. */
const usualPatience = 3000;

/**
 * Connects to a Redis that keeps the state of mocks.
 *
 * @param input.url - `redis://…` or `rediss://…`, with its password, without the prefix
 * @param input.prefix - of all keys, without the colon behind it
 * @param input.place - as it is shown, without the password
 * @param input.tell - is given a sentence when the Redis goes away, and when it is back
 * @param input.patience - how long the Redis may take to connect, and may be silent while it is asked something, in
 * milliseconds
 * @throws ClocheError STORE_UNUSABLE where the driver is not installed or the Redis cannot be used
 */
export async function openRedisStore(input: {
  readonly url: string;
  readonly prefix: string;
  readonly place: string;
  readonly tell: (sentence: string) => void;
  readonly patience?: number;
}): Promise<Store> {
  const { url, prefix, place, tell, patience = usualPatience } = input;
  const { Redis } = await loadDriver({ name: 'ioredis', place, load: () => import('ioredis') });
  const redis = new Redis(url, {
    lazyConnect: true,
    // What finds no connection fails at once, and what was under way when it broke is not sent again, since it may
    // have been done: the client is told that the store is away.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => Math.min(50 * times, 1000),
    connectTimeout: patience,
    socketTimeout: patience,
    protocol: 2,
    disableClientInfo: true,
  });
  let complaint: unknown;
  function remember(error: unknown): void {
    complaint = error;
  }
  redis.on('error', remember);
  function refuse(reason: string, cause?: unknown): ClocheError {
    return new ClocheError('STORE_UNUSABLE', {
      attempt: 'open the store',
      subject: place,
      reason,
      remedy: 'Start it, or name another one: redis://[user:password@]host[:port][/database][?prefix=name]',
      ...(cause === undefined ? {} : { cause }),
    });
  }
  try {
    await redis.connect();
    if (complaint !== undefined) {
      // Where there is no database of the number, it is connected to another one.
      throw refuse(describeRedisFailure(complaint), complaint);
    }
    const found = await redis.eval(findOtherVersion, 1, prefix);
    if (typeof found === 'string') {
      throw refuse(`what is under the prefix ${prefix} is of another version of Cloche (${found})`);
    }
  } catch (error) {
    redis.disconnect();
    const cause = complaint ?? error;
    throw error instanceof ClocheError ? error : refuse(describeRedisFailure(cause), cause);
  }
  redis.off('error', remember);
  return createRedisStore(createRedisConnection({ redis, prefix, outage: createOutage({ place, tell }) }));
}
