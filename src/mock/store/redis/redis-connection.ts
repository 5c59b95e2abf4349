import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Outage, StoreUse } from '../create-outage.ts';
import { describeRedisFailure } from './describe-redis-failure.ts';

type RunScript = (script: string, ...values: readonly (string | number)[]) => Promise<unknown>;

/** A Redis that may go away, and come back. */
export interface RedisConnection {
  /**
   * Runs a script that changes nothing, with the prefix as its only key.
   *
   * @throws StoreUnavailable
   */
  readonly read: RunScript;
  /**
   * Runs a script that changes something, with the prefix as its only key.
   *
   * @throws StoreUnavailable
   */
  readonly write: RunScript;
  /** Lets what is under way come to its end. */
  readonly close: () => Promise<void>;
}

function isAboutScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/**
 * Keeps a connection to Redis by which scripts are run.
 *
 * @param input.redis - connected, and made to fail at once where it is not: no command waits in a queue for a
 * connection, or is sent twice
 * @param input.prefix - of all keys, without the colon behind it
 */
export function createRedisConnection(input: {
  readonly redis: Redis;
  readonly prefix: string;
  readonly outage: Outage;
}): RedisConnection {
  const { redis, prefix, outage } = input;
  const hashes = new Map<string, string>();
  /** What the connection complained of last. A command that finds none says only that it found none. */
  let complaint: unknown;

  redis.on('error', (error: unknown) => {
    complaint = error;
    outage.failed({ use: 'read', reason: describeRedisFailure(error), cause: error });
  });
  redis.on('close', () => {
    complaint ??= new Error('the connection was closed');
  });
  redis.on('ready', () => {
    complaint = undefined;
    outage.worked('read');
  });

  function hashOf(script: string): string {
    let hash = hashes.get(script);
    if (hash === undefined) {
      hash = createHash('sha1').update(script).digest('hex');
      hashes.set(script, hash);
    }
    return hash;
  }

  async function run(use: StoreUse, script: string, values: readonly (string | number)[]): Promise<unknown> {
    try {
      // Not awaited within its own try: a Redis that was restarted knows no script any more.
      const found = await redis
        .evalsha(hashOf(script), 1, prefix, ...values)
        .catch((error: unknown) =>
          isAboutScript(error) ? redis.eval(script, 1, prefix, ...values) : Promise.reject(error),
        );
      outage.worked(use);
      return found;
    } catch (error) {
      const isThere = redis.status === 'ready';
      const cause = isThere ? error : (complaint ?? error);
      throw outage.failed({ use: isThere ? use : 'read', reason: describeRedisFailure(cause), cause });
    }
  }

  return {
    read: (script, ...values) => run('read', script, values),
    write: (script, ...values) => run('write', script, values),
    async close() {
      if (redis.status === 'ready') {
        await redis.quit().catch(() => undefined);
      }
      redis.disconnect();
    },
  };
}
