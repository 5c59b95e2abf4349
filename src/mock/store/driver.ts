import { ClocheError } from '../../errors/cloche-error.ts';
import { StoreUnavailable } from './store.ts';

/** What was asked of a store. One whose disk or memory is full, or that is a replica, can be read all the same. */
export type StoreUse = 'read' | 'write';

/**
 * Whether a store that is elsewhere answers. It is told of once when it goes away, and once when it is back. The time is not
 * that of the mock, which may stand still.
 */
export class Outage {
  readonly #place: string;
  readonly #tell: (sentence: string) => void;
  #away: { readonly since: number; readonly use: StoreUse } | undefined;

  /**
   * @param place - where the store is, without a secret
   * @param tell - is given a sentence when the store goes away, and one when it is back
   */
  constructor(place: string, tell: (sentence: string) => void) {
    this.#place = place;
    this.#tell = tell;
  }

  /** Notes that the store does not answer, and gives what is to be thrown. */
  failed({
    use,
    reason,
    cause,
  }: {
    /** What fails: what cannot be read can neither be written. */
    readonly use: StoreUse;
    /** Without a full stop. */
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

  /** Notes that it answers. That it can be read does not say that it can be written again. */
  worked(use: StoreUse): void {
    if (this.#away === undefined || (use === 'read' && this.#away.use === 'write')) return;
    const seconds = Math.ceil((Date.now() - this.#away.since) / 1000);
    this.#away = undefined;
    this.#tell(`The store ${this.#place} is back, after ${seconds} s.`);
  }
}

/** The error where a store cannot be used at all, without a secret. */
export function cannotOpen(input: {
  readonly place: string;
  readonly reason: string;
  readonly remedy: string;
  readonly cause?: unknown;
}): ClocheError {
  const { place, ...about } = input;
  return new ClocheError('STORE_UNUSABLE', { attempt: 'open the store', subject: place, ...about });
}

/** Packages of stores, with the line that installs each. */
const drivers = {
  libsql: 'npm install libsql@0.5',
  ioredis: 'npm install ioredis@6',
} as const;

/**
 * Loads the package that reaches a store; it is not installed with the mock.
 *
 * @throws ClocheError STORE_UNUSABLE which says how to install it
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
      /** With its password, without its query. */
      readonly url: string;
      /** Of all keys, without the colon behind it. */
      readonly prefix: string;
    };

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** What of a text may be shown: a password may hold what should have been escaped in a URL. */
function hideUserinfo(text: string): string {
  return text.replace(/\/\/.*@/su, '//***@').replace(/\?.*$/su, '');
}

function refuse(text: string, reason: string): ClocheError {
  return new ClocheError('OPTION_INVALID', {
    attempt: 'use as a store',
    subject: hideUserinfo(text),
    reason,
    remedy: 'Write memory:, file:orders.db, or redis://[user:password@]host[:port][/database][?prefix=name]',
  });
}

/** `Orders & Returns` is `orders-returns`. */
function toSlug(title: string): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '');
  return slug === '' ? 'mock' : slug;
}

function parseRedisUrl(text: string, title: string): OuterStoreUrl {
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

/** The path of `file:orders.db`, `file:./orders.db`, `file:/data/orders.db` or `file:///data/orders.db`. */
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
 * Reads the URL of a store. Where it has no prefix, one is made of the title of the contract, so that mocks of one
 * contract share a state, and those of two do not.
 *
 * @throws ClocheError OPTION_INVALID for what is none, without the password that may be in it
 */
export function parseStoreUrl(
  text: string,
  title: string,
): OuterStoreUrl | { readonly kind: 'memory'; readonly place: string } {
  if (/^memory:?$/iu.test(text)) return { kind: 'memory', place: 'memory' };
  if (/^file:/iu.test(text)) return parseFileUrl(text);
  if (/^rediss?:/iu.test(text)) return parseRedisUrl(text, title);
  const isPath = !/^[a-z][\w+.-]+:/iu.test(text) && text !== '';
  throw refuse(text, isPath ? `a file is written file:${text}` : 'it is of no kind that there is');
}
