import { ClocheError } from '../../errors/cloche-error.ts';

/** What the URL of a store says. */
export type StoreUrl =
  | { readonly kind: 'memory'; readonly place: string }
  | { readonly kind: 'file'; readonly place: string; readonly path: string }
  | {
      readonly kind: 'redis';
      readonly place: string;
      /** With its password, without its query. */
      readonly url: string;
      /** Of all keys, without the colon behind it. */
      readonly prefix: string;
    };

/** The URL of a store that outlives the mock. */
export type OuterStoreUrl = Exclude<StoreUrl, { readonly kind: 'memory' }>;

const redisSchemes = /^rediss?:/iu;

/** Undefined where a per cent sign has no two digits behind it, or what they stand for is no UTF-8. */
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

function parseRedisUrl(text: string, title: string): StoreUrl {
  if (!URL.canParse(text)) {
    throw refuse(text, 'it is no URL');
  }
  const url = new URL(text);
  if (decode(url.username) === undefined || decode(url.password) === undefined) {
    throw refuse(text, 'a per cent sign in its user or password is written %25');
  }
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'prefix');
  if (unknown !== undefined) {
    throw refuse(text, `it knows no ${unknown}, only a prefix`);
  }
  if (url.hostname === '') {
    throw refuse(text, 'it names no host');
  }
  const database = url.pathname.replace(/^\/|\/$/gu, '');
  if (!/^\d*$/u.test(database)) {
    throw refuse(text, `the database is a number, and ${database} is none`);
  }
  const prefix = url.searchParams.get('prefix') ?? `cloche:${toSlug(title)}`;
  if (prefix === '') {
    throw refuse(text, 'its prefix is empty, and keys of others would be among those of the mock');
  }
  url.search = '';
  const place = `${url.protocol}//${url.host}/${database === '' ? 0 : database}?prefix=${encodeURIComponent(prefix)}`;
  return { kind: 'redis', place: place.replaceAll('%3A', ':'), url: url.href, prefix };
}

/** The path of `file:orders.db`, `file:./orders.db`, `file:/data/orders.db` or `file:///data/orders.db`. */
function parseFileUrl(text: string): StoreUrl {
  const rest = text.slice('file:'.length);
  if (/^\/\/(?!\/)/u.test(rest)) {
    throw refuse(text, 'two slashes begin the name of a machine');
  }
  if (/^:memory:|[?&]mode=memory/u.test(rest)) {
    throw refuse(text, 'memory is written memory:');
  }
  const path = rest.startsWith('///') ? decode(rest.slice(2)) : rest;
  if (path === undefined) {
    throw refuse(text, 'a per cent sign in it is written %25');
  }
  if (path === '' || path.includes('\0')) {
    throw refuse(text, 'it names no file');
  }
  return { kind: 'file', place: text, path };
}

/**
 * Reads the URL of a store.
 *
 * @param title - of the contract: what a prefix is made of where the URL has none, so that mocks of one contract share
 * a state, and those of two do not
 * @throws ClocheError OPTION_INVALID for what is none, without the password that may be in it
 */
export function parseStoreUrl(text: string, title: string): StoreUrl {
  if (/^memory:?$/iu.test(text)) {
    return { kind: 'memory', place: 'memory' };
  }
  if (/^file:/iu.test(text)) {
    return parseFileUrl(text);
  }
  if (redisSchemes.test(text)) {
    return parseRedisUrl(text, title);
  }
  const isPath = !/^[a-z][\w+.-]+:/iu.test(text) && text !== '';
  throw refuse(text, isPath ? `a file is written file:${text}` : 'it is of no kind that there is');
}
