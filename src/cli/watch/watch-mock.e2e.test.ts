import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { clocheMain } from '../../../fixtures/run-cloche.ts';
import { createMock } from '../../mock/create-mock.ts';
import type { Mock } from '../../mock/mock.ts';
import { readData } from '../../mock/state/data-file.ts';
import { createMemoryStore } from '../../mock/store/memory-store.ts';
import { type Store, StoreUnavailable } from '../../mock/store/store.ts';
import { type OpenContract, openContract, type ReadingOptions } from '../contract.ts';
import { watchMock } from './watch-mock.ts';

const minute = 60_000;
/** A file is looked at once more after each change, as what was read may be newer: one touched before that has changed. */
const lookedAtAgainMs = 2_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-watch-'));
const before = process.cwd();
const running: (() => Promise<void>)[] = [];

beforeAll(() => buildWhenStale(), 2 * minute);

beforeEach(() => process.chdir(folder));

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(running.splice(0).map((end) => end()));
});

afterAll(async () => {
  process.chdir(before);
  await rm(folder, { recursive: true, force: true });
});

const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: {} } };
const create = {
  requestBody: { required: true, content: { 'application/json': { schema } } },
  responses: { 200: { description: 'Kept.' }, 400: { description: 'Refused.' } },
};

function documentOf(paths: object): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Orders', version: '1' }, paths });
}

const orders = documentOf({ '/orders': { post: create } });

interface Running {
  readonly mock: Mock;
  /** Waits until it has written this behind what it was awaited for before, and gives what it wrote by then. */
  readonly untilSaid: (text: string) => Promise<string>;
  readonly output: () => string;
}

/** A mock that is watched as the command has it, in this process: to start one takes longer than all that it does. */
async function startMock(
  document: string,
  options: {
    readonly policy?: string;
    readonly data?: string;
    readonly faults?: string;
    readonly store?: string | Store;
  } = {},
): Promise<Running> {
  const { policy, data, faults, store } = options;
  // A file system counts time in steps: what was written just before may seem to be written later.
  await setTimeout(20);
  const since = Date.now();
  const texts: URL[] = [];
  const open = (reading: ReadingOptions): Promise<OpenContract> =>
    openContract(
      { document, policy, answer: [], 'allow-references': false, 'strict-document': false, 'overlay-in': [] },
      reading,
    );
  const { contract, given } = await open({ onRead: (url) => texts.push(url) });
  const mock = await createMock(contract, {
    policy: given,
    ...(data === undefined ? {} : { data: await readData(data) }),
    ...(store === undefined ? {} : { store }),
  });
  let output = '';
  let seen = 0;
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  const unwatch = watchMock({ mock, open, texts, policy, data, faults: { faults, delay: undefined }, since });
  running.push(async () => {
    unwatch();
    await mock.close();
  });
  async function untilSaid(text: string): Promise<string> {
    await vi.waitUntil(() => output.includes(text, seen), { timeout: minute / 2, interval: 10 });
    const said = output.slice(seen);
    seen = output.length;
    return said;
  }
  return { mock, untilSaid, output: () => output };
}

/** The command itself, listening; gives what it wrote. */
async function startCommand(...words: readonly string[]): Promise<() => string> {
  const child = spawn(process.execPath, [clocheMain, 'mock', '--port', '0', '--quiet', ...words]);
  running.push(async () => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      output += String(bytes);
    });
  }
  await vi.waitUntil(() => output.includes('mocked on '), { timeout: minute / 2 });
  return () => output;
}

/** Replaces a file as editors do. */
async function replace(name: string, text: string): Promise<void> {
  await writeFile(join(folder, `${name}~`), text);
  await rename(join(folder, `${name}~`), join(folder, name));
}

async function post(mock: Mock, path: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await mock.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

test(
  'takes up a document that is replaced, keeps the state, and names what no longer fits',
  { timeout: minute },
  async () => {
    await replace('a.json', orders);
    const { mock, untilSaid } = await startMock('a.json');
    expect([
      await post(mock, '/orders', { id: 1 }),
      await post(mock, '/orders', { id: 2, name: 'b' }),
    ]).toEqual([200, 200]);
    const named = { ...schema, required: ['id', 'name'] };
    const narrower = {
      ...create,
      requestBody: { required: true, content: { 'application/json': { schema: named } } },
    };
    await replace('a.json', documentOf({ '/orders': { post: narrower }, '/doors': { post: create } }));
    const said = await untilSaid('missing\n');
    expect(said.split('\n').slice(-6)).toEqual([
      expect.stringMatching(/^[\d:]{8} a\.json changed, and the mock goes by it:$/u),
      '  changed  POST /orders: request body',
      '  added    POST /doors',
      '  1 resource no longer fits and is set aside until it does; 1 stays:',
      '    /orders 1: /name is required, but missing',
      '',
    ]);
    expect(await post(mock, '/orders', { id: 2, name: 'b' })).toBe(400);
    expect(await post(mock, '/doors', { id: 1 })).toBe(200);
    await replace('a.json', orders);
    expect(await untilSaid('before is back\n')).toContain('  removed  POST /doors\n');
    expect(await post(mock, '/orders', { id: 1 })).toBe(400);
  },
);

test(
  'goes on as it was while a document is broken, says why once, and goes by it when it is mended',
  { timeout: minute },
  async () => {
    await replace('b.json', orders);
    const { mock, untilSaid } = await startMock('b.json');
    await replace('b.json', `${orders.slice(0, -1)},`);
    const said = await untilSaid('Correct the ');
    expect(said).toContain(
      'b.json changed and cannot be used; the mock goes on as it was.\nFailed to read "b.json": b.json:1:',
    );
    await setTimeout(lookedAtAgainMs);
    // The same again is nothing new.
    await replace('b.json', `${orders.slice(0, -1)},`);
    expect(await post(mock, '/orders', { id: 1 })).toBe(200);
    await rm(join(folder, 'b.json'));
    expect(await untilSaid('there is no such file')).not.toContain('b.json:1:');
    await writeFile(
      join(folder, 'b.json'),
      documentOf({ '/orders': { post: create }, '/doors': { post: create } }),
    );
    expect(await untilSaid('/doors\n')).toContain(
      'b.json can be used again, and the mock goes by it:\n  added    POST /doors\n',
    );
    expect(await post(mock, '/orders', { id: 1 })).toBe(400);
  },
);

test(
  'takes up what the document refers to, and the file that a reference lacked',
  { timeout: minute },
  async () => {
    await replace('doors.json', JSON.stringify({ post: create }));
    await replace('c.json', documentOf({ '/doors': { $ref: 'doors.json' } }));
    const { untilSaid } = await startMock('c.json');
    await replace('doors.json', JSON.stringify({ post: { ...create, operationId: 'openDoor' } }));
    expect(await untilSaid('operationId\n')).toContain(
      ' doors.json changed, and the mock goes by it:\n  changed  POST /doors: operationId\n',
    );
    await replace(
      'c.json',
      documentOf({ '/doors': { $ref: 'doors.json' }, '/gates': { $ref: 'gates.json' } }),
    );
    await untilSaid('there is no such file');
    await replace('gates.json', JSON.stringify({ post: create }));
    expect(await untilSaid('POST /gates\n')).toContain('added    POST /gates\n');
  },
);

test(
  'takes up a policy file, and keeps its answers when the document changes',
  { timeout: minute },
  async () => {
    await replace('d.json', orders);
    await replace('policy.json', '{"answers":{"duplicate-key":"conflict"}}');
    const { mock, untilSaid } = await startMock('d.json', { policy: 'policy.json' });
    await post(mock, '/orders', { id: 1 });
    expect(await post(mock, '/orders', { id: 1 })).toBe(409);
    await replace('policy.json', '{"answers":{"duplicate-key":"replac"}}');
    await untilSaid('Perhaps "replace" was meant');
    await replace('policy.json', '{"answers":{"duplicate-key":"replace"}}');
    await untilSaid('  answers  duplicate-key: ');
    expect(await post(mock, '/orders', { id: 1 })).toBe(200);
    await replace('d.json', documentOf({ '/orders': { post: create }, '/doors': { post: create } }));
    await untilSaid('POST /doors\n');
    expect(await post(mock, '/orders', { id: 1 })).toBe(200);
  },
);

test(
  'says nothing of a file that is only touched, nor of others in its folder',
  { timeout: minute },
  async () => {
    await replace('e.json', documentOf({}));
    const { untilSaid, output } = await startMock('e.json');
    // What is touched before it was looked at first may have changed.
    await replace('e.json', orders);
    await untilSaid('POST /orders\n');
    await setTimeout(lookedAtAgainMs);
    const saidBefore = output();
    await utimes(join(folder, 'e.json'), new Date(), new Date());
    await replace('other.json', '{}');
    await replace('e.json', orders);
    // What is written last comes last, so that anything said of the others would stand before it.
    await replace('e.json', documentOf({ '/doors': { post: create } }));
    await untilSaid('removed  POST /orders\n');
    expect(
      output()
        .replace(saidBefore, '')
        .match(/changed/gu),
    ).toHaveLength(1);
  },
);

test('notices a change behind a link', { timeout: minute }, async () => {
  const other = await mkdtemp(join(tmpdir(), 'cloche-linked-'));
  await writeFile(join(other, 'real.json'), orders);
  await symlink(join(other, 'real.json'), join(folder, 'f.json'));
  const { untilSaid } = await startMock('f.json');
  await writeFile(join(other, 'real.json'), documentOf({ '/doors': { post: create } }));
  expect(await untilSaid('/orders\n')).toContain('f.json changed');
  await rm(other, { recursive: true });
});

test.each(['document.json', 'part.json', 'policy.json', 'rows.json', 'faults.json'])(
  'reads no pipe, no device and no endless file in place of %s, and takes up the next good file',
  { timeout: minute },
  async (name) => {
    const good: Readonly<Record<string, string>> = {
      'document.json': documentOf({ '/orders': { $ref: 'part.json' } }),
      'part.json': JSON.stringify({ post: create }),
      'policy.json': '{"answers":{}}',
      'rows.json': '[{"id":1}]',
      'faults.json': '[{"path":"/orders","answer":{"status":503}}]',
    };
    for (const [each, text] of Object.entries(good)) await replace(each, text);
    const { untilSaid } = await startMock('document.json', {
      policy: 'policy.json',
      data: 'rows.json',
      faults: 'faults.json',
    });
    const beside = join(folder, `${name}~`);
    const bad: readonly (readonly [() => Promise<unknown>, string])[] = [
      [() => symlink('/dev/zero', beside), 'and cannot be used'],
      [async () => execFileSync('mkfifo', [beside]), 'it is a pipe or a device'],
      [() => writeFile(beside, '').then(() => truncate(beside, 2 ** 40)), 'it is longer than 256 MiB'],
    ];
    for (const [make, reason] of bad) {
      await make();
      await rename(beside, join(folder, name));
      expect(await untilSaid(reason)).toContain(name);
      await replace(name, good[name] ?? '');
      await untilSaid(`${name} can be used again`);
    }
  },
);

test('the command watches, and does not with --no-watch', { timeout: minute }, async () => {
  await replace('g.json', orders);
  const [watching, other] = await Promise.all([startCommand('g.json'), startCommand('g.json', '--no-watch')]);
  await replace('g.json', documentOf({}));
  await vi.waitUntil(() => watching().includes('removed  POST /orders\n'), { timeout: minute / 2 });
  expect(other()).not.toContain('changed');
});

test(
  'takes up data that changes, keeps what clients made of it, and names a bad row',
  { timeout: minute },
  async () => {
    await replace('h.json', orders);
    await replace('rows.json', '[{"id":1},{"id":2}]');
    const { mock, untilSaid, output } = await startMock('h.json', { data: 'rows.json' });
    expect(await post(mock, '/orders', { id: 9 })).toBe(200);
    await replace('rows.json', '[{"id":1},\n{"name":"no id"}]');
    expect(await untilSaid('missing')).toContain(
      'rows.json changed and cannot be used; the mock goes on as it was.\n',
    );
    expect(output()).toContain('rows.json:2:1: /id is required');
    await replace('rows.json', '[{"id":1},{"id":3}]');
    expect(await untilSaid('there already')).toContain('1 row added, 1 row taken away, 1 row there already');
    expect(await Promise.all([1, 2, 3, 9].map((id) => post(mock, '/orders', { id })))).toEqual([
      400, 200, 400, 400,
    ]);
  },
);

test('keeps for its control interface what watching had to say', { timeout: minute }, async () => {
  await replace('i.json', orders);
  const { mock, untilSaid } = await startMock('i.json');
  await replace('i.json', '{');
  await untilSaid('i.json:1:');
  expect(mock.notices).toEqual([
    expect.stringContaining('i.json changed'),
    expect.stringContaining('i.json:1:'),
  ]);
});

test('takes up a change when a store that was away answers again', { timeout: minute }, async () => {
  const kept = createMemoryStore();
  let isAway = false;
  const store: Store = {
    ...kept,
    collections() {
      if (isAway) throw new StoreUnavailable({ place: 'redis://nowhere', reason: 'it is away', since: 0 });
      return kept.collections();
    },
  };
  await replace('j.json', orders);
  const { mock, untilSaid } = await startMock('j.json', { store });
  await post(mock, '/orders', { id: 1 });
  isAway = true;
  await replace('j.json', documentOf({ '/doors': { post: create } }));
  expect(await untilSaid('next request')).toContain('the mock goes on as it was until the store answers.\n');
  expect(await post(mock, '/orders', { id: 1 })).toBe(400);
  isAway = false;
  const said = await untilSaid('is not a collection of this document');
  expect(said).toContain('j.json can be used again, and the mock goes by it:\n  added    POST /doors\n');
  expect(said).toContain('1 resource no longer fits');
});
