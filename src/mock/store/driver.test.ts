import { expect, test } from 'vitest';
import { parseStoreUrl } from './driver.ts';

test.each([
  ['memory:', { kind: 'memory', place: 'memory' }],
  ['file:orders.db', { kind: 'file', path: 'orders.db', place: 'file:orders.db' }],
  ['file:../a b.db', { kind: 'file', path: '../a b.db', place: 'file:../a b.db' }],
  ['file:/data/a.db', { kind: 'file', path: '/data/a.db', place: 'file:/data/a.db' }],
  ['file:///data/a%20b.db', { kind: 'file', path: '/data/a b.db', place: 'file:///data/a%20b.db' }],
  [
    'redis://localhost',
    {
      kind: 'redis',
      url: 'redis://localhost',
      prefix: 'cloche:orders-returns',
      place: 'redis://localhost/0?prefix=cloche:orders-returns',
    },
  ],
  [
    'rediss://me:s%2Fecret@[::1]:7000/3?prefix=team a',
    {
      kind: 'redis',
      url: 'rediss://me:s%2Fecret@[::1]:7000/3',
      prefix: 'team a',
      place: 'rediss://[::1]:7000/3?prefix=team%20a',
    },
  ],
  [
    'rediss+cluster://me:s%2Fecret@a:7000,[::1]:7001?prefix=team a',
    {
      kind: 'redis',
      url: 'rediss://me:s%2Fecret@a:7000',
      nodes: ['rediss://me:s%2Fecret@a:7000', 'rediss://me:s%2Fecret@[::1]:7001'],
      prefix: '{team a}',
      place: 'rediss+cluster://a:7000,[::1]:7001/?prefix=team%20a',
    },
  ],
])('reads %s', (text, expected) => {
  expect(parseStoreUrl(text, 'Orders & Returns')).toEqual(expected);
});

test.each([
  ['a', '{a}'],
  ['a{b', '{a{b}'],
  ['a{}b', '{a{}b}'],
  ['{team}:a', '{team}:a'],
])('puts the keys of a cluster with the prefix %s into one slot', (prefix, tagged) => {
  const url = `redis+cluster://host?prefix=${encodeURIComponent(prefix)}`;
  expect(parseStoreUrl(url, 'Orders')).toMatchObject({ prefix: tagged });
});

test('makes a prefix of a title without a letter', () => {
  expect(parseStoreUrl('redis://localhost', '***')).toMatchObject({ prefix: 'cloche:mock' });
});

test.each([
  ['orders.db', '"orders.db": a file is written file:orders.db. '],
  ['', '"": it is of no kind that there is. '],
  ['file:', '"file:": it names no file. '],
  ['file://server/a.db', '"file://server/a.db": two slashes begin the name of a machine. '],
  ['file::memory:', '"file::memory:": memory is written memory:. '],
  ['file:a.db?mode=memory', 'memory is written memory:. '],
  ['file:///data/100%.db', '"file:///data/100%.db": a per cent sign in it is written %25. '],
  ['redis://me:s%ecret@host', 'a per cent sign in its user or password is written %25. '],
  ['mysql://me:secret@host/db', '"mysql://***@host/db": it is of no kind that there is. '],
  ['redis://me:secret@:99999/', '"redis://***@:99999/": it is no URL. '],
  ['redis://me:s/cret@host', 'it is no URL. '],
  ['redis://host/one', '"redis://host/one": the database is a number, and one is none. '],
  ['redis://host?password=secret', '"redis://host": it knows no password, only a prefix. '],
  ['redis://host?prefix=', '"redis://host": its prefix is empty'],
  ['redis+cluster://host,/', '"redis:///": it names no host. '],
  ['redis+cluster:host', '"redis+cluster:host": it is no URL. '],
  ['redis+cluster://me:secret@a,b/2', '"redis+cluster://***@a,b/2": a cluster has no database but 0. '],
  ['redis+cluster://me:s/cret@a,b', 'it is no URL. '],
  ['redis+cluster://a?prefix=}', 'the prefix of a cluster cannot begin with }. '],
  ['redis:///0', '"redis:///0": it names no host. '],
])('refuses %s, and shows no password', (text, sentence) => {
  let message = '';
  try {
    parseStoreUrl(text, 'Orders');
  } catch (error) {
    message = String(error);
  }
  expect(message).toContain(sentence);
  expect(message).not.toMatch(/s[/%]?e?cret/u);
  expect(message).toContain('Write memory:, file:orders.db, or redis://');
});
