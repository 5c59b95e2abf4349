import { createHash } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import { ClocheError } from '../../errors/cloche-error.ts';
import { cannotOpen, loadDriver, Outage, type OuterStoreUrl, type StoreUse } from './driver.ts';
import * as scripts from './redis-scripts.ts';
import {
  type CollectionCount,
  countContent,
  fromKeyText,
  fromNameText,
  toCount,
  type ListedResource,
  sortByName,
  type Store,
  type StoreContent,
  type StoredResource,
  type StoreOutcome,
  type SwapOutcome,
  toKeyText,
  type TreeOutcome,
} from './store.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host is not known',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its host cannot be reached',
  ENOENT: 'there is no such socket',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS, as rediss: asks for',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    'it asks for a certificate of the client, which a URL cannot give',
};

/** The beginnings of the errors of Redis and its client, with their reasons. */
const beginnings: readonly (readonly [beginning: RegExp, reason: string])[] = [
  [/^NOAUTH/u, 'it asks for a password'],
  [/^WRONGPASS|invalid (?:username-)?password/u, 'it does not take the password'],
  [/^NOPERM|user executing the script can't/u, 'the user may not do there what Cloche needs'],
  [/^READONLY/u, 'it is a replica, which takes no writes'],
  [/^LOADING/u, 'it is still reading its data'],
  [/^OOM/u, 'its memory is full'],
  [/^MISCONF/u, 'it cannot write to its disk'],
  [/cluster support disabled/u, 'it is not in a cluster: its URL begins with redis:'],
  [/^Too many Cluster redirections/u, 'the cluster is moving the keys to another node'],
  [/^CLUSTERDOWN/u, 'no node of the cluster serves the keys'],
  [
    /^(?:MOVED|ASK)|non local key/u,
    'it is in a cluster: a store takes redis+cluster: then, and a queue needs another Redis',
  ],
  [/^BUSY/u, 'a script keeps it busy'],
  [/^ERR unknown command/u, 'it does not know a command that Cloche needs: it takes Redis 4 or later'],
  [/^NOREPLICAS/u, 'too few replicas follow it'],
  [/^WRONGTYPE/u, 'under its prefix is something that Cloche did not put there'],
  [/^Unknown RESP type/u, 'what listens there is no Redis'],
  [/^ERR DB index/u, 'it has no database of that number'],
  [/[Ss]ocket timeout|Command timed out|connect ETIMEDOUT/u, 'it does not answer'],
  [/^Connection is closed|max retries per request|isn't writeable/u, 'the connection was closed'],
];

const damage = 'another program deleted or changed';
const damageRemedy = ': reset the state, or restore a snapshot';

/** Returns whether an error says only that there is no connection; the reason is an error that came before it. */
function lacksConnection(error: unknown): boolean {
  const form = /^(?:Connection is closed|Cluster isn't ready|Stream isn't writeable)/u;
  return error instanceof Error && form.test(error.message);
}

/** Codes of certificates whose authority is unknown to Node.js. */
const distrust = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/u;

/** Describes a Redis error, without a full stop. It reads only the message: the command may contain a password. */
export function describeRedisFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && 'lastNodeError' in error) {
    const { lastNodeError: last } = error;
    return lacksConnection(last) ? 'none of its nodes can be reached' : describeRedisFailure(last);
  }
  if (distrust.test(code)) {
    return `its certificate is of an authority that is not known (${code}): NODE_EXTRA_CA_CERTS names a file of such`;
  }
  if (error instanceof SyntaxError) return `${damage} a value (${message})${damageRemedy}`;
  if (message.startsWith('DAMAGED '))
    return `${damage} the key ${message.slice('DAMAGED '.length)}${damageRemedy}`;
  const [, reason] = beginnings.find(([beginning]) => beginning.test(message)) ?? [];
  return reasons[code] ?? reason ?? message.trim().replace(/\.$/u, '');
}

/** Runs a script with the prefix as its first key, and decodes its reply; throws StoreUnavailable. */
type RunScript = <T>(
  decode: (reply: unknown) => T,
  script: string,
  ...values: readonly (string | number)[]
) => Promise<T>;

/** A connection to a Redis that may become unavailable temporarily. */
interface RedisConnection extends Readonly<Record<StoreUse, RunScript>> {
  /** Closes the connection after the commands in progress. */
  readonly close: () => Promise<void>;
}

/** A client of a single Redis or of a cluster. */
type RedisClient = Redis | Cluster;

/** Creates a Redis connection for scripts. If it is down, scripts fail immediately: no command is queued or resent. */
function createRedisConnection(redis: RedisClient, prefix: string, outage: Outage): RedisConnection {
  const hashes = new Map<string, string>();
  /** The last error of the connection. A command without a connection reports only that there is none. */
  let complaint: unknown;
  // Of these keys, one does not exist and one always does. So a cluster that moves the slot to another node refuses a
  // script, which would not find all keys on either node.
  const keys = [prefix, `${prefix}:version`] as const;

  redis.on('error', (error: unknown) => {
    complaint = error;
    outage.failed({ use: 'read', reason: describeRedisFailure(error), cause: error });
  });
  redis.on('close', () => {
    complaint ??= new Error('the connection was closed');
  });
  // The other nodes of a cluster may still answer.
  redis.on('node error', (error: unknown) => {
    if (!lacksConnection(error)) complaint = error;
  });
  redis.on('connect', () => void noteLoading());
  redis.on('ready', () => {
    complaint = undefined;
    outage.worked('read');
  });

  /** Until a Redis has loaded its data, its client reports only that it is not connected. */
  async function noteLoading(): Promise<void> {
    const state = redis.isCluster ? '' : await redis.info('persistence').catch(() => '');
    if (/^loading:1/mu.test(state)) complaint = new Error('LOADING');
  }

  function hashOf(script: string): string {
    const hash = hashes.get(script) ?? createHash('sha1').update(script).digest('hex');
    hashes.set(script, hash);
    return hash;
  }

  async function run<T>(
    use: StoreUse,
    decode: (reply: unknown) => T,
    [script, ...values]: readonly [script: string, ...values: (string | number)[]],
  ): Promise<T> {
    try {
      // A restarted Redis has forgotten all scripts. Not awaited in a try block, so the error of eval is handled below.
      const found = await redis.evalsha(hashOf(script), 2, ...keys, ...values).catch((error: unknown) => {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return redis.eval(script, 2, ...keys, ...values);
      });
      const decoded = decode(found);
      complaint = undefined;
      outage.worked(use);
      return decoded;
    } catch (error) {
      const isThere = redis.status === 'ready';
      const cause = isThere && !lacksConnection(error) ? error : (complaint ?? error);
      throw outage.failed({ use: isThere ? use : 'read', reason: describeRedisFailure(cause), cause });
    }
  }

  return {
    read: (decode, script, ...values) => run('read', decode, [script, ...values]),
    write: (decode, script, ...values) => run('write', decode, [script, ...values]),
    async close() {
      if (redis.status === 'ready') await redis.quit().catch(() => undefined);
      redis.disconnect();
    },
  };
}

/** The highest index of a sorted set that Redis accepts. */
const farthest = 2 ** 31;

function toClaimsText(claims: readonly string[]): string {
  return JSON.stringify(claims.map((claim) => toKeyText(claim)));
}

function toValues({ collection, key, text, claims, parents = [] }: StoredResource): readonly string[] {
  const places = parents.flatMap((place) => [toKeyText(place.collection), toKeyText(place.key)]);
  return [toKeyText(collection), toKeyText(key), text, toClaimsText(claims), JSON.stringify(places)];
}

function toOutcome(reply: unknown): StoreOutcome {
  // `as`: the scripts return this.
  const [kind, about = ''] = reply as [StoreOutcome['kind'], string?];
  if (kind === 'claim-taken') return { kind, claim: fromNameText(about) };
  return kind === 'key-taken' ? { kind, text: about } : { kind };
}

// `as`: the script returns only outcomes of a swap.
const toSwapOutcome = (reply: unknown): SwapOutcome => toOutcome(reply) as SwapOutcome;

function inGroups(reply: unknown, size: number): readonly (readonly unknown[])[] {
  // `as`: the scripts return this.
  const flat = reply as readonly unknown[];
  return Array.from({ length: flat.length / size }, (_, index) =>
    flat.slice(index * size, (index + 1) * size),
  );
}

function toOptionalText(reply: unknown): string | undefined {
  return typeof reply === 'string' ? reply : undefined;
}

function toText(reply: unknown): string {
  if (typeof reply === 'string') return reply;
  throw new SyntaxError('a resource has no text');
}

function isOne(reply: unknown): boolean {
  return reply === 1;
}

function ignore(): void {
  // The script has no result.
}

function toSnapshot(reply: unknown): StoreContent | undefined {
  // `as`: saveSnapshot wrote it.
  return typeof reply === 'string' ? (JSON.parse(reply) as StoreContent) : undefined;
}

function toClaims(reply: unknown): readonly string[] {
  // `as`: toClaimsText wrote it.
  return (JSON.parse(String(reply)) as string[]).map(fromNameText);
}

function toResources(reply: unknown): readonly ListedResource[] {
  return inGroups(reply, 4).map(([position, key, text, claims]) => ({
    position: Number(position),
    key: fromKeyText(String(key)),
    text: toText(text),
    claims: toClaims(claims),
  }));
}

function toCounts(reply: unknown): readonly CollectionCount[] {
  return inGroups(reply, 2).map(toCount);
}

function toContent(reply: unknown): StoreContent {
  return {
    collections: inGroups(reply, 3).map(([name, lastNumber, resources]) => ({
      name: fromNameText(String(name)),
      lastNumber: Number(lastNumber),
      resources: toResources(resources).map(({ key, text, claims }) => ({ key, text, claims })),
    })),
  };
}

function fromContent({ collections }: StoreContent): string {
  return JSON.stringify(
    collections.map(({ name, lastNumber, resources }) => [
      toKeyText(name),
      String(lastNumber),
      resources.map(({ key, text, claims }) => [toKeyText(key), text, toClaimsText(claims)]),
    ]),
  );
}

function createRedisStore({ read, write, close }: RedisConnection): Store {
  return {
    insertIfAbsent: (resource) => write(toOutcome, scripts.insertIfAbsent, ...toValues(resource)),
    replace: (resource) => write(toOutcome, scripts.replace, ...toValues(resource)),
    swap: (resource, was) => write(toSwapOutcome, scripts.swap, ...toValues(resource), was),
    get: (collection, key) => read(toOptionalText, scripts.get, toKeyText(collection), toKeyText(key)),
    claims: (collection, key) => read(toClaims, scripts.claims, toKeyText(collection), toKeyText(key)),
    nextNumber: (collection) => write(Number, scripts.nextNumber, toKeyText(collection)),
    passNumber: (collection, number) => write(ignore, scripts.passNumber, toKeyText(collection), number),
    // An empty text means any: a stored text is JSON and never empty.
    delete: (collection, key, was = '') =>
      write(isOne, scripts.deleteOne, toKeyText(collection), toKeyText(key), was),
    deleteTree({ collection, key, was = '', path, below }) {
      const beginning = toKeyText(`${path}/`).slice(0, -'"'.length);
      const values = [toKeyText(collection), toKeyText(key), was, beginning, below];
      // `as`: the script returns this.
      return write((reply) => reply as TreeOutcome, scripts.deleteTree, ...values);
    },
    count: (collection) => read(Number, scripts.count, toKeyText(collection)),
    collections: async () => (await read(toCounts, scripts.collections)).filter(({ count }) => count > 0),
    async list(collection, { offset, after, limit, order = 'ascending' }) {
      if (limit <= 0) return [];
      const name = toKeyText(collection);
      if (after !== undefined) {
        return read(toResources, scripts.listAfter, name, after, Math.min(limit, farthest), order);
      }
      const last = Math.min(offset + limit - 1, farthest);
      return read(toResources, scripts.listFrom, name, Math.min(offset, farthest), last, order);
    },
    dump: () => read(toContent, scripts.dump),
    load: (content) => write(ignore, scripts.load, fromContent(content)),
    loadIfEmpty: (content) => write(isOne, scripts.loadIfEmpty, fromContent(content)),
    saveSnapshot: (name, content) =>
      write(ignore, scripts.saveSnapshot, toKeyText(name), JSON.stringify(content), countContent(content)),
    readSnapshot: (name) => read(toSnapshot, scripts.readSnapshot, toKeyText(name)),
    swapSnapshot({ name, was, is }) {
      const before = was === undefined ? '' : JSON.stringify(was);
      const after = is === undefined ? '' : JSON.stringify(is);
      const count = is === undefined ? 0 : countContent(is);
      return write(isOne, scripts.swapSnapshot, toKeyText(name), before, after, count);
    },
    deleteSnapshot: (name) => write(isOne, scripts.deleteSnapshot, toKeyText(name)),
    snapshots: async () => sortByName(await read(toCounts, scripts.snapshots)),
    reset: () => write(ignore, scripts.reset),
    close,
  };
}

/** The timeout for connecting, and for receiving data during a command, in milliseconds. No script takes longer. */
const patienceMs = 3_000;

interface RedisInput extends Omit<Extract<OuterStoreUrl, { readonly kind: 'redis' }>, 'kind'> {
  readonly tell: (sentence: string) => void;
}

/**
 * Creates a client. Without a connection, a command fails immediately. After a lost connection, a command is not
 * repeated, as Redis may have run it: the client gets the error that the store is unavailable.
 */
function createClient(
  driver: { readonly Redis: typeof Redis; readonly Cluster: typeof Cluster },
  { url, nodes }: RedisInput,
): RedisClient {
  const retry = (times: number): number => Math.min(50 * times, 1000);
  const options = {
    connectTimeout: patienceMs,
    socketTimeout: patienceMs,
    protocol: 2,
    disableClientInfo: true,
    maxLoadingRetryTime: 250,
  } as const;
  const common = { lazyConnect: true, enableOfflineQueue: false };
  if (nodes === undefined) {
    let reconnected = 0;
    return new driver.Redis(url, {
      ...common,
      ...options,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      retryStrategy: retry,
      // After a failover, another server may have the name of the primary. A replica can still be read meanwhile.
      reconnectOnError(error) {
        if (!error.message.startsWith('READONLY') || Date.now() - reconnected < 5000) return false;
        reconnected = Date.now();
        return true;
      },
    });
  }
  const { protocol, username, password } = new URL(url);
  return new driver.Cluster([...nodes], {
    ...common,
    // A node that is loading its data says so to each command.
    enableReadyCheck: false,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    clusterRetryStrategy: retry,
    // A certificate is for a name. Node.js looks it up when it connects.
    dnsLookup: (host, done) => done(null, host),
    redisOptions: {
      ...options,
      enableReadyCheck: false,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
}

/**
 * Connects to a Redis that keeps the state of mocks.
 *
 * @param input.tell - receives a sentence when the Redis becomes unavailable, and when it is available again
 * @throws ClocheError STORE_UNUSABLE if the driver is not installed or the Redis cannot be used
 */
export async function openRedisStore(input: RedisInput): Promise<Store> {
  const { prefix, place, tell } = input;
  const redis = createClient(await loadDriver('ioredis', place, () => import('ioredis')), input);
  let complaint: unknown;
  function remember(error: unknown): void {
    complaint = error;
  }
  redis.on('error', remember);
  const remedy =
    'Start it, or name another one: redis://[user:password@]host[:port][/database][?prefix=name]';
  try {
    await redis.connect();
    if (complaint !== undefined) {
      // If the database does not exist, the client is connected to another one.
      throw cannotOpen({ place, reason: describeRedisFailure(complaint), remedy, cause: complaint });
    }
    const found = await redis.eval(scripts.findOtherVersion, 1, prefix);
    if (typeof found === 'string') {
      const reason = `what is under the prefix ${prefix} is of another version of Cloche (${found})`;
      throw cannotOpen({ place, reason, remedy });
    }
  } catch (error) {
    redis.disconnect();
    const cause = complaint ?? error;
    throw error instanceof ClocheError
      ? error
      : cannotOpen({ place, reason: describeRedisFailure(cause), remedy, cause });
  }
  redis.off('error', remember);
  return createRedisStore(createRedisConnection(redis, prefix, new Outage(place, tell)));
}
