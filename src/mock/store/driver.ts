import { ClocheError } from '../../errors/cloche-error.ts';
import { StoreUnavailable } from './store.ts';

/** The kind of access to a store. A store whose disk or memory is full, or that is a replica, can still be read. */
export type StoreUse = 'read' | 'write';

/**
 * Tracks whether an external store is available. It reports an outage once at its start and once at its end. It does
 * not use the mock's clock, which may be frozen.
 */
export class Outage {
  readonly #place: string;
  readonly #tell: (sentence: string) => void;
  #away: { readonly since: number; readonly use: StoreUse } | undefined;

  /**
   * @param place - the location of the store, without a secret
   * @param tell - receives a sentence when the store becomes unavailable, and when it is available again
   */
  constructor(place: string, tell: (sentence: string) => void) {
    this.#place = place;
    this.#tell = tell;
  }

  /** Notes a failure of the store, and returns the error to throw. */
  failed({
    use,
    reason,
    cause,
  }: {
    /** The access that fails: if reading fails, writing fails too. */
    readonly use: StoreUse;
    /** The reason, without a full stop. */
    readonly reason: string;
    readonly cause?: unknown;
  }): StoreUnavailable {
    const place = this.#place;
    if (this.#away === undefined) {
      this.#away = { since: Date.now(), use };
      this.#tell(`The store ${place} is away: ${reason}. Requests that need it are answered with 503.`);
    }
    return new StoreUnavailable({ place, reason, since: this.#away.since, cause });
  }

  /** Notes a successful access. After a failed write, only a successful write ends the outage. */
  worked(use: StoreUse): void {
    if (this.#away === undefined || (use === 'read' && this.#away.use === 'write')) return;
    const seconds = Math.ceil((Date.now() - this.#away.since) / 1000);
    this.#away = undefined;
    this.#tell(`The store ${this.#place} is back, after ${seconds} s.`);
  }
}

/** Creates the error for a store that cannot be opened, without a secret. */
export function cannotOpen(input: {
  readonly place: string;
  readonly reason: string;
  readonly remedy: string;
  readonly cause?: unknown;
}): ClocheError {
  const { place, ...about } = input;
  return new ClocheError('STORE_UNUSABLE', { attempt: 'open the store', subject: place, ...about });
}

/** The packages of stores and queues, with the commands that install them. */
const drivers = {
  libsql: 'npm install libsql@0.5',
  ioredis: 'npm install ioredis@6',
  bullmq: 'npm install bullmq@6 ioredis@6',
} as const;

/**
 * Loads the package for a store; it is not installed with the mock.
 *
 * @throws ClocheError STORE_UNUSABLE with the command that installs it
 */
export async function loadDriver<T>(
  name: keyof typeof drivers,
  place: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    throw cannotOpen({
      place,
      reason: isMissing
        ? `the package ${name}, or the part of it that is made for this system, is not installed`
        : `the package ${name} cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy: `Run "${drivers[name]}"`,
      cause,
    });
  }
}

/** The URL of a store that outlives the mock. */
export type OuterStoreUrl =
  | { readonly kind: 'file'; readonly place: string; readonly path: string }
  | {
      readonly kind: 'redis';
      readonly place: string;
      /** The URL with its password, without its query. */
      readonly url: string;
      /** The prefix of all keys, without the colon after it; of a cluster, with a hash tag (see tagPrefix). */
      readonly prefix: string;
      /** The URLs of nodes of a cluster; undefined for a single Redis. */
      readonly nodes?: readonly string[];
    };

type RedisUrl = Extract<OuterStoreUrl, { readonly kind: 'redis' }>;

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Hides the password in a text that may not be a valid URL: a password may contain unescaped characters. */
function hideUserinfo(text: string): string {
  return text.replace(/\/\/.*@/su, '//***@').replace(/\?.*$/su, '');
}

function refuse(text: string, reason: string): ClocheError {
  return new ClocheError('OPTION_INVALID', {
    attempt: 'use as a store',
    subject: hideUserinfo(text),
    reason,
    remedy:
      'Write memory:, file:orders.db, or redis://[user:password@]host[:port][/database][?prefix=name]; ' +
      'a cluster is redis+cluster://host:port,host:port',
  });
}

/** Converts a title to a prefix: `Orders & Returns` becomes `orders-returns`. */
function toSlug(title: string): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '');
  return slug === '' ? 'mock' : slug;
}

function parseRedisUrl(text: string, title: string): RedisUrl {
  if (!URL.canParse(text)) throw refuse(text, 'it is no URL');
  const url = new URL(text);
  if (decode(url.username) === undefined || decode(url.password) === undefined) {
    throw refuse(text, 'a per cent sign in its user or password is written %25');
  }
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'prefix');
  if (unknown !== undefined) throw refuse(text, `it knows no ${unknown}, only a prefix`);
  if (url.hostname === '') throw refuse(text, 'it names no host');
  const database = url.pathname.replace(/^\/|\/$/gu, '');
  if (!/^\d*$/u.test(database)) throw refuse(text, `the database is a number, and ${database} is none`);
  const prefix = url.searchParams.get('prefix') ?? `cloche:${toSlug(title)}`;
  if (prefix === '') {
    throw refuse(text, 'its prefix is empty, and keys of others would be among those of the mock');
  }
  url.search = '';
  const place = `${url.protocol}//${url.host}/${database === '' ? 0 : database}?prefix=${encodeURIComponent(prefix)}`;
  return { kind: 'redis', place: place.replaceAll('%3A', ':'), url: url.href, prefix };
}

/**
 * Puts a prefix into braces unless it contains a hash tag. Redis Cluster then keeps all keys of a mock in one slot: a
 * script may touch any collection, and the keys of a script must be on one node.
 *
 * @see https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags
 */
function tagPrefix(prefix: string): string {
  return /^[^{]*\{[^}]+\}/u.test(prefix) ? prefix : `{${prefix}}`;
}

/** Parses `redis+cluster://[user:password@]host:port,host:port[?prefix=name]`, or `rediss+cluster:` with TLS. */
function parseClusterUrl(text: string, title: string): RedisUrl {
  const parts = /^(rediss?)\+cluster:\/\/([^/?#]*@)?([^/?#]*)(.*)$/isu.exec(text);
  if (parts === null) throw refuse(text, 'it is no URL');
  const [, scheme, userinfo = '', hosts = '', rest] = parts;
  const parseNode = (host: string): RedisUrl => parseRedisUrl(`${scheme}://${userinfo}${host}${rest}`, title);
  const nodes = hosts.split(',').map(parseNode);
  // `as`: a split text has at least one part.
  const first = nodes[0] as RedisUrl;
  if (!first.place.includes('/0?')) throw refuse(text, 'a cluster has no database but 0');
  if (first.prefix.startsWith('}')) throw refuse(text, 'the prefix of a cluster cannot begin with }');
  const names = nodes.map(({ url }) => new URL(url).host);
  return {
    ...first,
    place: first.place.replace(/:.*\/0\?/u, `+cluster://${names.join(',')}/?`),
    prefix: tagPrefix(first.prefix),
    nodes: nodes.map(({ url }) => url),
  };
}

/** Parses the path of `file:orders.db`, `file:./orders.db`, `file:/data/orders.db` or `file:///data/orders.db`. */
function parseFileUrl(text: string): OuterStoreUrl {
  const rest = text.slice('file:'.length);
  if (/^\/\/(?!\/)/u.test(rest)) throw refuse(text, 'two slashes begin the name of a machine');
  if (/^:memory:|[?&]mode=memory/u.test(rest)) throw refuse(text, 'memory is written memory:');
  const path = rest.startsWith('///') ? decode(rest.slice(2)) : rest;
  if (path === undefined) throw refuse(text, 'a per cent sign in it is written %25');
  if (path === '' || path.includes('\0')) throw refuse(text, 'it names no file');
  return { kind: 'file', place: text, path };
}

/**
 * Parses the URL of a store. The default prefix is derived from the title of the contract: mocks of the same contract
 * share a state, mocks of different contracts do not.
 *
 * @throws ClocheError OPTION_INVALID for an invalid URL; the message omits its password
 */
export function parseStoreUrl(
  text: string,
  title: string,
): OuterStoreUrl | { readonly kind: 'memory'; readonly place: string } {
  if (/^memory:?$/iu.test(text)) return { kind: 'memory', place: 'memory' };
  if (/^file:/iu.test(text)) return parseFileUrl(text);
  if (/^rediss?:/iu.test(text)) return parseRedisUrl(text, title);
  if (/^rediss?\+cluster:/iu.test(text)) return parseClusterUrl(text, title);
  const isPath = !/^[a-z][\w+.-]+:/iu.test(text) && text !== '';
  throw refuse(text, isPath ? `a file is written file:${text}` : 'it is of no kind that there is');
}
