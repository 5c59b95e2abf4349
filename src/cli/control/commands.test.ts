import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createServiceClient } from '../../../fixtures/service-client.ts';
import { createMock } from '../../mock/create-mock.ts';
import type { Mock } from '../../mock/mock.ts';
import { readArguments } from '../arguments.ts';
import { optionsOf } from '../../config/command-options.ts';
import { type ActionResult, actOnMock, type MockClient } from './client.ts';
import { controlGroups, resetCommand } from './commands.ts';
import { faultsActions } from './faults.ts';
import { clockActions, policyActions } from './policy-and-clock.ts';
import { requestsActions } from './requests.ts';
import { resetMock, snapshotActions, stateActions } from './state.ts';

const schema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const media = { 'application/json': { schema } };
const create = {
  operationId: 'createOrder',
  requestBody: { required: true, content: media },
  responses: { 200: { description: 'Kept.', content: media }, 400: { description: 'Refused.' } },
};
const contract = contractOf({ paths: { '/orders': { post: create } } });
const folder = await mkdtemp(join(tmpdir(), 'cloche-control-'));
const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true })];

afterAll(() => Promise.all(closing.map((close) => close())));

let mock: Mock;
let url: string;

beforeAll(async () => {
  mock = await createMock(contract);
  ({ url } = await mock.listen());
  closing.push(() => mock.close());
});

type AnyAct = (client: MockClient, input: unknown) => Promise<ActionResult>;

const acts = {
  reset: { reset: resetMock },
  state: stateActions,
  snapshot: snapshotActions,
  requests: requestsActions,
  faults: faultsActions,
  policy: policyActions,
  clock: clockActions,
} as unknown as Readonly<Record<string, Readonly<Record<string, AnyAct>>>>;

/** Does what a command does, to the mock of the tests. */
function run(
  words: string,
  values: Readonly<Record<string, unknown>> = {},
  address: { readonly mock: string; readonly token?: string } = { mock: url },
): Promise<ActionResult> {
  const [name = '', action = name] = words.split(' ');
  const actions = controlGroups.find((each) => each.name === name)?.actions ?? [resetCommand];
  const command = actions.find(({ usage }) => usage.split(' ', 1)[0] === action);
  const handle = acts[name]?.[action];
  if (command === undefined || handle === undefined) throw new Error(`there is no cloche ${words}`);
  return actOnMock({ token: undefined, ...address }, async (client) =>
    handle(client, readArguments({ options: optionsOf(command), values })),
  );
}

async function post(body: object): Promise<number> {
  return (await createServiceClient(url).post('/orders', body)).status;
}

const order = { collection: '/orders', key: '9007199254740993' };

test('puts, gets, lists, exports, imports and deletes resources, every digit of them', async () => {
  const resource = '{"id":9007199254740993,"name":"a"}';
  expect((await run('state put', { collection: '/orders', resource })).lines).toEqual([
    '/orders 9007199254740993 is kept.',
  ]);
  await writeFile(join(folder, 'order.json'), '{"id":2}');
  await run('state put', { collection: '/orders', resource: join(folder, 'order.json') });
  expect((await run('state list')).lines).toEqual(['/orders  2 resources']);
  expect(await run('state list', { collection: '/orders', limit: '1' })).toMatchObject({
    lines: [resource],
    notes: ['1 of 2 resources shown.'],
  });
  expect((await run('state get', order)).lines).toEqual(['{\n  "id": 9007199254740993,\n  "name": "a"\n}']);
  const file = join(folder, 'state.json');
  expect((await run('state export', { output: file })).lines).toEqual([`2 resources written to ${file}.`]);
  expect(await readFile(file, 'utf8')).toContain('"id": 9007199254740993,');
  for (const action of ['get', 'delete'])
    await expect(run(`state ${action}`, { collection: '/orders' })).rejects.toThrow(
      `A key is needed to tell which resource of /orders is meant, its "id": cloche state ${action} /orders KEY.`,
    );
  await run('state delete', order);
  expect((await run('state list')).lines).toEqual(['/orders  1 resource']);
  expect((await run('state import', { file, merge: true })).lines).toEqual([
    '2 resources taken in, 1 of them in place of others.',
  ]);
  await writeFile(join(folder, 'rows.ndjson'), '{"id":7}\n{"id":8}\n');
  expect((await run('state import', { file: join(folder, 'rows.ndjson') })).lines).toEqual([
    '2 resources taken in.',
  ]);
  await writeFile(join(folder, 'bad.json'), '[{"id":1},\n {"name":"no id"}]');
  await expect(run('state import', { file: join(folder, 'bad.json') })).rejects.toThrow(
    'bad.json:2:2: /id is required, but missing',
  );
  await run('reset', { only: 'state' });
  expect((await run('state list')).lines).toEqual(['/orders  0 resources']);
});

test('keeps snapshots', async () => {
  await post({ id: 1 });
  expect((await run('snapshot save', { name: 'a b' })).lines).toEqual(['The snapshot "a b" is kept.']);
  await run('reset');
  await run('snapshot restore', { name: 'a b' });
  expect((await run('snapshot list')).lines).toEqual(['a b  1 resource']);
  expect((await run('state list')).lines).toEqual(['/orders  1 resource']);
  await run('snapshot delete', { name: 'a b' });
  await expect(run('snapshot restore', { name: 'a b' })).rejects.toThrow('There is no snapshot "a b".');
});

test('lists requests with why, shows one in full, and verifies how many came', async () => {
  await run('reset');
  await post({ id: 1 });
  await post({ name: 'no id' });
  const { lines } = await run('requests list', { verdict: 'refused' });
  expect(lines).toEqual([expect.stringMatching(/^#\d+ [\d:]{8} POST {4}\/orders 400 .*\/id is required/u)]);
  const [, id] = /^#(\d+)/u.exec(lines[0] ?? '') ?? [];
  const shown = (await run('requests show', { id: `#${id}` })).lines.join('\n');
  for (const part of ['/id is required', '{"name":"no id"}', 'Answered 400', 'curl ']) {
    expect(shown).toContain(part);
  }
  expect(await run('requests verify', { operation: 'createOrder', times: '2' })).toMatchObject({
    holds: true,
  });
  expect(await run('requests verify', { body: '{"id":1}', times: '2' })).toMatchObject({ holds: false });
  await run('requests clear');
  expect(await run('requests list')).toMatchObject({ lines: [], notes: ['No requests.'] });
});

test('says who is against a request, and why its content is not shown', async () => {
  const response = await fetch(`${url}/orders`, { method: 'POST', body: ' '.repeat(11_000_000) });
  expect(response.status).toBe(400);
  const [{ id } = { id: 0 }] = mock.requests.list({ condition: 'body-too-large' });
  const { lines } = await run('requests show', { id: String(id) });
  expect(lines).toContain('    the policy says at /answers/body-limit: body-limit');
  expect(lines.join()).toContain(
    '(11000000 bytes. It was not read to its end: it is larger than the policy allows.)',
  );
});

test('waits for requests, and says where too few came', async () => {
  await run('requests clear');
  const waiting = run('requests list', { wait: '20000', times: '2' });
  await post({ id: 11 });
  await post({ id: 12 });
  expect(await waiting).toMatchObject({ holds: true, lines: [{}, {}].map(() => expect.any(String)) });
  expect(await run('requests list', { wait: '1', path: '/nowhere' })).toMatchObject({
    holds: false,
    notes: ['0 of 1 came within 1 ms.'],
  });
});

test('adds, lists and takes away rules by which requests go wrong', async () => {
  await run('faults add', {
    fault: ['status=503', 'delay=1..2'],
    operation: 'createOrder',
    times: '1',
    id: 'x',
  });
  expect([await post({ id: 21 }), await post({ id: 21 })]).toEqual([503, 200]);
  expect((await run('faults list')).lines).toEqual([
    'x  createOrder: delay=1..2 status=503, for the next 1 request (2 requests, used 1 time)',
  ]);
  await run('faults delete', { id: 'x' });
  await expect(run('faults delete', { id: 'x' })).rejects.toThrow('There is no rule "x".');
  await expect(run('faults add', { fault: ['bogus'] })).rejects.toThrow('Failed to read the fault "bogus"');
  await expect(run('faults add', { fault: ['drop'], body: '{}' })).rejects.toThrow('"--body"');
  await run('faults add', { fault: ['status=418'], body: '{"a":1}' });
  expect(await post({ id: 22 })).toBe(418);
  await run('faults clear');
  expect((await run('faults list')).lines).toEqual([]);
});

test('shows and changes the policy', async () => {
  await run('reset');
  await post({ id: 1 });
  const { lines } = await run('policy set', { answer: ['duplicate-key=conflict'] });
  expect(lines).toContainEqual(expect.stringMatching(/^\* duplicate-key +409 /u));
  expect(await post({ id: 1 })).toBe(409);
  const { lines: after } = await run('policy reset');
  expect(after).toContainEqual(expect.stringMatching(/^ {2}duplicate-key +/u));
  expect(await post({ id: 1 })).toBe(400);
});

test('sets, advances, stops and resumes the clock', async () => {
  await run('clock freeze');
  await run('clock set', { time: '2026-03-01' });
  expect((await run('clock advance', { duration: '1.5h' })).lines).toEqual([
    '2026-03-01T01:30:00.000Z, and it stands still',
  ]);
  await run('clock resume');
  expect(mock.clock.isFrozen).toBe(false);
  await expect(run('clock advance', { duration: '5x' })).rejects.toThrow('Write it as 500ms');
  await expect(run('clock set', { time: 'noon' })).rejects.toThrow('it is no date and time');
  await run('reset', { only: 'clock' });
  expect(new Date((await run('clock show')).lines[0] ?? '').getFullYear()).toBe(new Date().getFullYear());
});

test('hands on what the mock says is wrong, and what cannot be read is not sent', async () => {
  await expect(run('state put', { collection: '/orders', resource: '{"name":"a"}' })).rejects.toThrow(
    '/id is required, but missing',
  );
  await expect(run('state put', { collection: '/orders', resource: '{"id":' })).rejects.toThrow('1:7');
  await expect(run('state put', { collection: '/orders', resource: 'none.json' })).rejects.toThrow(
    'there is no such file',
  );
  await expect(run('state list', { collection: 'orders' })).rejects.toThrow('begins with a slash');
  await expect(run('reset', { only: 'stat' })).rejects.toThrow('Perhaps "state" was meant');
});

/** Listens as another program does. */
async function listenAs(
  answer: RequestListener,
): Promise<{ readonly mock: string; readonly seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  // `as`: it listens on a port.
  return { mock: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

test('says where there is no mock, where another program is, and where control is off', async () => {
  const gone = await createMock(contract);
  const { url: there } = await gone.listen();
  await gone.close();
  const place = there.slice('http://'.length);
  await expect(run('reset', {}, { mock: there })).rejects.toThrow(
    `Failed to drive the mock "${there}": nothing listens on ${place}. Start one with cloche mock, or say with --mock where it is.`,
  );
  const page = await listenAs((_, response) => void response.end('<!doctype html>'));
  await expect(run('reset', {}, page)).rejects.toThrow('what listens there is no mock of Cloche');
  // Nothing but the question who it is.
  expect(page.seen).toEqual(['GET /__cloche/service']);
  const silent = await createMock(contract, { control: false });
  closing.push(() => silent.close());
  await expect(run('reset', {}, { mock: (await silent.listen()).url })).rejects.toThrow(
    'its control interface is switched off. Start it without --no-control.',
  );
});

test('says where a mock is of another version and answers what is not understood', async () => {
  const future = await listenAs(({ url: path }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(path === '/__cloche/service' ? { cloche: '99.0.0' } : { all: [] }));
  });
  for (const words of ['state list', 'requests list', 'policy show', 'faults list', 'snapshot list']) {
    await expect(run(words, {}, future)).rejects.toThrow(
      /^Failed to drive the mock ".+": it is of Cloche 99\.0\.0, this is .+\. Use one version for both\.$/u,
    );
  }
});

test('sends the control token where there is one, and says where it is wrong', async () => {
  const guarded = await createMock(contract, { control: { token: 'right' } });
  closing.push(() => guarded.close());
  const { url: there } = await guarded.listen();
  expect((await run('state list', {}, { mock: there, token: 'right' })).lines).toHaveLength(1);
  await expect(run('state list', {}, { mock: there, token: 'wrong' })).rejects.toThrow(
    'is not that of this mock',
  );
});

test('brings the control token to nobody where a mock leads elsewhere', async () => {
  const elsewhere = await listenAs((_, response) => void response.end('{}'));
  const leading = await listenAs((_, response) => {
    response.writeHead(307, { Location: `${elsewhere.mock}/__cloche/service` }).end();
  });
  await expect(run('state list', {}, { ...leading, token: 'right' })).rejects.toThrow('no mock of Cloche');
  expect([leading.seen, elsewhere.seen]).toEqual([['GET /__cloche/service'], []]);
});
