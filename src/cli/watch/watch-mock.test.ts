import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { clocheMain } from '../../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-watch-'));
const running: ChildProcess[] = [];

beforeAll(() => buildWhenStale(), 2 * minute);

afterAll(async () => {
  running.forEach((child) => child.kill('SIGKILL'));
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
  readonly url: string;
  /** Waits until it has written this behind what it was awaited for before, and gives what it wrote by then. */
  readonly untilSaid: (text: string) => Promise<string>;
  readonly output: () => string;
}

async function startMock(...words: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [clocheMain, 'mock', '--port', '0', '--quiet', ...words], {
    cwd: folder,
  });
  running.push(child);
  let output = '';
  let seen = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      output += String(bytes);
    });
  }
  async function untilSaid(text: string): Promise<string> {
    await vi.waitUntil(() => output.includes(text, seen), { timeout: minute / 2, interval: 20 });
    const said = output.slice(seen);
    seen = output.length;
    return said;
  }
  await untilSaid('mocked on ');
  const [, url = ''] = /mocked on (\S+)\n/u.exec(output) ?? [];
  return { url, untilSaid, output: () => output };
}

/** Replaces a file as editors do. */
async function replace(name: string, text: string): Promise<void> {
  await writeFile(join(folder, `${name}~`), text);
  await rename(join(folder, `${name}~`), join(folder, name));
}

async function post(url: string, path: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

test(
  'takes up a document that is replaced, keeps the state, and names what no longer fits',
  { timeout: minute },
  async () => {
    await replace('a.json', orders);
    const mock = await startMock('a.json');
    expect([
      await post(mock.url, '/orders', { id: 1 }),
      await post(mock.url, '/orders', { id: 2, name: 'b' }),
    ]).toEqual([200, 200]);
    const named = { ...schema, required: ['id', 'name'] };
    const narrower = {
      ...create,
      requestBody: { required: true, content: { 'application/json': { schema: named } } },
    };
    await replace('a.json', documentOf({ '/orders': { post: narrower }, '/doors': { post: create } }));
    const said = await mock.untilSaid('missing\n');
    expect(said.split('\n').slice(-6)).toEqual([
      expect.stringMatching(/^[\d:]{8} a\.json changed, and the mock goes by it:$/u),
      '  changed  POST /orders: request body',
      '  added    POST /doors',
      '  1 resource no longer fits and is set aside until it does; 1 stays:',
      '    /orders 1: /name is required, but missing',
      '',
    ]);
    expect(await post(mock.url, '/orders', { id: 2, name: 'b' })).toBe(400);
    expect(await post(mock.url, '/doors', { id: 1 })).toBe(200);
    await replace('a.json', orders);
    expect(await mock.untilSaid('before is back\n')).toContain('  removed  POST /doors\n');
    expect(await post(mock.url, '/orders', { id: 1 })).toBe(400);
  },
);

test(
  'goes on as it was while a document is broken, says why once, and goes by it when it is mended',
  { timeout: minute },
  async () => {
    await replace('b.json', orders);
    const mock = await startMock('b.json');
    await replace('b.json', `${orders.slice(0, -1)},`);
    const said = await mock.untilSaid('Correct the ');
    expect(said).toContain(
      'b.json changed and cannot be used; the mock goes on as it was.\nFailed to read "b.json": b.json:1:',
    );
    // The same again is nothing new.
    await replace('b.json', `${orders.slice(0, -1)},`);
    expect(await post(mock.url, '/orders', { id: 1 })).toBe(200);
    await rm(join(folder, 'b.json'));
    expect(await mock.untilSaid('there is no such file')).not.toContain('b.json:1:');
    await writeFile(
      join(folder, 'b.json'),
      documentOf({ '/orders': { post: create }, '/doors': { post: create } }),
    );
    expect(await mock.untilSaid('/doors\n')).toContain(
      'b.json can be used again, and the mock goes by it:\n  added    POST /doors\n',
    );
    expect(await post(mock.url, '/orders', { id: 1 })).toBe(400);
  },
);

test(
  'takes up what the document refers to, and the file that a reference lacked',
  { timeout: minute },
  async () => {
    await replace('doors.json', JSON.stringify({ post: create }));
    await replace('c.json', documentOf({ '/doors': { $ref: 'doors.json' } }));
    const mock = await startMock('c.json');
    await replace('doors.json', JSON.stringify({ post: { ...create, operationId: 'openDoor' } }));
    expect(await mock.untilSaid('operationId\n')).toContain(
      ' doors.json changed, and the mock goes by it:\n  changed  POST /doors: operationId\n',
    );
    await replace(
      'c.json',
      documentOf({ '/doors': { $ref: 'doors.json' }, '/gates': { $ref: 'gates.json' } }),
    );
    await mock.untilSaid('there is no such file');
    await replace('gates.json', JSON.stringify({ post: create }));
    expect(await mock.untilSaid('POST /gates\n')).toContain('added    POST /gates\n');
  },
);

test(
  'takes up a policy file, and keeps its answers when the document changes',
  { timeout: minute },
  async () => {
    await replace('d.json', orders);
    await replace('policy.json', '{"answers":{"duplicate-key":"conflict"}}');
    const mock = await startMock('d.json', '--policy', 'policy.json');
    await post(mock.url, '/orders', { id: 1 });
    expect(await post(mock.url, '/orders', { id: 1 })).toBe(409);
    await replace('policy.json', '{"answers":{"duplicate-key":"replac"}}');
    await mock.untilSaid('Perhaps "replace" was meant');
    await replace('policy.json', '{"answers":{"duplicate-key":"replace"}}');
    await mock.untilSaid('  answers  duplicate-key: ');
    expect(await post(mock.url, '/orders', { id: 1 })).toBe(200);
    await replace('d.json', documentOf({ '/orders': { post: create }, '/doors': { post: create } }));
    await mock.untilSaid('POST /doors\n');
    expect(await post(mock.url, '/orders', { id: 1 })).toBe(200);
  },
);

test(
  'says nothing of a file that is only touched, nor of others in its folder',
  { timeout: minute },
  async () => {
    await replace('e.json', orders);
    const mock = await startMock('e.json');
    const before = mock.output();
    await utimes(join(folder, 'e.json'), new Date(), new Date());
    await replace('other.json', '{}');
    await replace('e.json', orders);
    // What is written last comes last, so that anything said of the others would stand before it.
    await replace('e.json', documentOf({ '/doors': { post: create } }));
    const said = await mock.untilSaid('removed  POST /orders\n');
    expect(said.replace(before, '').match(/changed/gu)).toHaveLength(1);
  },
);

test('notices a change behind a link', { timeout: minute }, async () => {
  const other = await mkdtemp(join(tmpdir(), 'cloche-linked-'));
  await writeFile(join(other, 'real.json'), orders);
  await symlink(join(other, 'real.json'), join(folder, 'f.json'));
  const mock = await startMock('f.json');
  await writeFile(join(other, 'real.json'), documentOf({ '/doors': { post: create } }));
  expect(await mock.untilSaid('/orders\n')).toContain('f.json changed');
  await rm(other, { recursive: true });
});

test('watches nothing with --no-watch', { timeout: minute }, async () => {
  await replace('g.json', orders);
  const mock = await startMock('g.json', '--no-watch');
  await replace('g.json', documentOf({}));
  // Another mock that watches has said so by the time that this one could have.
  const other = await startMock('g.json');
  await replace('g.json', orders);
  await other.untilSaid('added    POST /orders\n');
  expect(mock.output()).not.toContain('changed');
  expect(await post(mock.url, '/orders', { id: 1 })).toBe(200);
});

test(
  'takes up data that changes, keeps what clients made of it, and names a bad row',
  { timeout: minute },
  async () => {
    await replace('h.json', orders);
    await replace('rows.json', '[{"id":1},{"id":2}]');
    const mock = await startMock('h.json', '--data', 'rows.json');
    expect(await post(mock.url, '/orders', { id: 9 })).toBe(200);
    await replace('rows.json', '[{"id":1},\n{"name":"no id"}]');
    expect(await mock.untilSaid('missing')).toContain(
      'rows.json changed and cannot be used; the mock goes on as it was.\n',
    );
    expect(mock.output()).toContain('rows.json:2:1: /id is required');
    await replace('rows.json', '[{"id":1},{"id":3}]');
    expect(await mock.untilSaid('there already')).toContain(
      '1 row added, 1 row taken away, 1 row there already',
    );
    expect(await Promise.all([1, 2, 3, 9].map((id) => post(mock.url, '/orders', { id })))).toEqual([
      400, 200, 400, 400,
    ]);
  },
);

test('shows over its control interface what watching had to say', { timeout: minute }, async () => {
  await replace('i.json', orders);
  const mock = await startMock('i.json');
  await replace('i.json', '{');
  await mock.untilSaid('i.json:1:');
  const shown: unknown = await (await fetch(`${mock.url}/__cloche/service`)).json();
  expect(shown).toMatchObject({
    notices: [expect.stringContaining('i.json changed'), expect.stringContaining('i.json:1:')],
  });
});
