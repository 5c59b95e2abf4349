import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { type RunningCommand, startCommand } from '../../fixtures/proxy/start-command.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';
import { startMock } from '../../fixtures/start-mock.ts';

const minute = 60_000;
const patiently = { timeout: 30_000 };
/** Opens a connection for each request, so that the workers take turns. */
const dispatcher = new Agent({ pipelining: 0, connections: 50 });
let folder: string;

const order = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const key = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };
const session = { type: 'object', required: ['token'], properties: { token: { type: 'string' } } };
const create = {
  operationId: 'createOrder',
  parameters: [key],
  requestBody: { required: true, ...json(order) },
  responses: { 201: { description: 'Created.', ...json(order) }, 409: { description: 'Refused.' } },
};
const list = { responses: { 200: { description: 'All.', ...json({ type: 'array', items: order }) } } };
const login = { security: [], responses: { 200: { description: 'A token.', ...json(session) } } };

function documentOf(paths: object): string {
  const components = { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } };
  const info = { title: 'Orders', version: '1' };
  return JSON.stringify({ openapi: '3.1.0', info, components, security: [{ bearer: [] }], paths });
}

const orders = { '/orders': { post: create, get: list }, '/sessions': { post: login } };

beforeAll(() => buildWhenStale(), 2 * minute);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloche-workers-'));
  await writeFile(join(folder, 'api.json'), documentOf(orders));
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10 });
});
afterAll(() => dispatcher.destroy());

const start = (...words: readonly string[]): Promise<RunningCommand> =>
  startMock(folder, ['api.json', '--workers', '2', '--store', 'file:s.db', '--token', 't', ...words]);

interface Sent {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a request over a connection of its own. The status is 0 without a response. */
async function send(
  { url }: RunningCommand,
  line: string,
  content?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const [method = '', path = ''] = line.split(' ');
  try {
    const { statusCode: status, body } = await request(`${url}${path}`, {
      method,
      headers: { authorization: 'Bearer t', 'content-type': 'application/json', ...headers },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
      dispatcher,
    });
    const text = await body.text();
    return { status, body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return { status: 0, body: undefined };
  }
}

/** Sends the same request over several connections, to both workers, and returns the statuses that there were. */
async function statusesOf(...[mock, ...sent]: Parameters<typeof send>): Promise<readonly number[]> {
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(mock, ...sent)));
  return [...new Set(answers.map(({ status }) => status))];
}

/** Returns the ids of the worker processes. */
function workersOf({ process: { pid } }: RunningCommand): readonly number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Stops a worker while ten requests are sent, and returns whether one of them waited for it. */
async function takesConnections(mock: RunningCommand, worker: number): Promise<boolean> {
  let answered = 0;
  const get = (): Promise<number> => send(mock, 'GET /orders').then(() => (answered += 1));
  process.kill(worker, 'SIGSTOP');
  const all = Promise.all(Array.from({ length: 10 }, get));
  await expect.poll(() => answered, patiently).toBeGreaterThanOrEqual(9);
  await get();
  const isWaiting = answered === 10;
  process.kill(worker, 'SIGCONT');
  await all;
  return isWaiting;
}

test(
  'refuses workers without a store that they can share, and with options of one process',
  { timeout: minute },
  async () => {
    const without = await runCloche(['mock', '--workers', '2'], { folder });
    expect(without.code).toBe(2);
    expect(without.stderr).toContain(
      'Failed to read the option "--workers 2": several processes need a state',
    );
    expect(without.stderr).toContain('Add a store, as in --store file:state.db');
    const words = ['mock', '--workers', '2', '--store', 'file:s.db', '--fallback', 'http://127.0.0.1:9'];
    const { code, stderr } = await runCloche(words, { folder });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--fallback works in one process only. Leave out one'),
    ]);
  },
);

test.runIf(process.platform === 'linux')(
  'answers with two processes that take each id once, with one log and the same faults',
  { timeout: minute },
  async () => {
    await writeFile(join(folder, 'data.json'), '{ "/orders": [{ "id": 1001 }, { "id": 1002 }] }');
    const mock = await start('--data', 'data.json', '--no-watch');
    await expect.poll(() => workersOf(mock).length, patiently).toBe(2);
    for (const worker of workersOf(mock)) {
      await expect.poll(() => takesConnections(mock, worker), patiently).toBe(true);
    }
    await send(mock, 'DELETE /__cloche/requests');

    const ids = Array.from({ length: 400 }, (_, index) => 1 + (index % 100));
    const answers = await Promise.all(ids.map((id) => send(mock, 'POST /orders', { id })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(300);
    const { body } = await send(mock, 'GET /__cloche/requests');
    const { requests, dropped } = body as {
      requests: readonly { id: number; time: number }[];
      dropped: number;
    };
    expect([requests.length, dropped]).toEqual([400, 0]);
    expect(requests.every(({ id }, index) => id === (requests[0]?.id ?? 0) + index)).toBe(true);
    const { body: all } = await send(mock, 'GET /orders');
    expect(all).toHaveLength(102);

    const fault = { operation: 'createOrder', answer: { status: 503 } };
    expect(await send(mock, 'POST /__cloche/faults', fault)).toMatchObject({ status: 201 });
    expect(await statusesOf(mock, 'POST /orders', { id: 1 })).toEqual([503]);
    expect(await send(mock, 'GET /__cloche/faults')).toMatchObject({
      body: { faults: [{ seen: 10, applied: 10 }] },
    });
    await send(mock, 'DELETE /__cloche/faults');
    expect(await statusesOf(mock, 'POST /orders', { id: 1 })).toEqual([409]);

    const { code, output } = await mock.stop();
    expect(code).toBe(0);
    // One line for each request that is not for the control interface, and each notice once.
    expect(output.match(/^\d\d:\d\d:\d\d POST +\/orders +\d{3} .+$/gmu)).toHaveLength(420);
    expect(output.match(/2 rows added/gu)).toHaveLength(1);
    expect(output.match(/mocked on/gu)).toHaveLength(1);
  },
);

test(
  'a policy, a clock, a login and an Idempotency-Key hold in all workers',
  { timeout: minute },
  async () => {
    const mock = await start('--no-watch');
    const wrong = { authorization: 'Bearer wrong' };
    expect(await statusesOf(mock, 'GET /orders', undefined, wrong)).toEqual([401]);
    await send(mock, 'PATCH /__cloche/policy', {
      answers: { 'invalid-credentials': { status: 403, body: 'error' } },
    });
    expect(await statusesOf(mock, 'GET /orders', undefined, wrong)).toEqual([403]);

    await send(mock, 'PUT /__cloche/clock', { now: '2030-01-01T00:00:00Z', frozen: true });
    await statusesOf(mock, 'GET /orders');
    const { body } = await send(mock, 'GET /__cloche/requests?limit=10');
    const times = (body as { readonly requests: readonly { readonly time: number }[] }).requests.map(
      ({ time }) => time,
    );
    expect(new Set(times)).toEqual(new Set([Date.parse('2030-01-01T00:00:00Z')]));

    const made = await send(mock, 'POST /sessions');
    const { token } = made.body as { readonly token: string };
    expect(await statusesOf(mock, 'GET /orders', undefined, { authorization: `Bearer ${token}` })).toEqual([
      200,
    ]);

    const repeated = { 'idempotency-key': 'k-1' };
    await send(mock, 'POST /orders', { id: 7 }, repeated);
    expect(await statusesOf(mock, 'POST /orders', { id: 7 }, repeated)).toEqual([201]);
  },
);

test.runIf(process.platform === 'linux')(
  'kill -9 of a worker loses nothing that was acknowledged, and three within ten seconds end the mock',
  { timeout: 2 * minute },
  async () => {
    const mock = await start('--quiet', '--no-watch');
    await expect.poll(() => workersOf(mock).length, patiently).toBe(2);
    const acknowledged: number[] = [];
    const enough = new AbortController();
    let next = 0;
    async function load(): Promise<void> {
      while (!enough.signal.aborted) {
        next += 1;
        const id = next;
        const { status } = await send(mock, 'POST /orders', { id });
        if (status === 201) acknowledged.push(id);
      }
    }
    const loads = Array.from({ length: 8 }, load);
    await expect.poll(() => acknowledged.length, patiently).toBeGreaterThan(200);
    const [victim = 0] = workersOf(mock);
    process.kill(victim, 'SIGKILL');
    await expect
      .poll(() => mock.output(), patiently)
      .toContain('A worker was started again: it ended with SIGKILL.');
    const killed = acknowledged.length;
    await expect.poll(() => acknowledged.length, patiently).toBeGreaterThan(killed + 200);
    enough.abort();
    await Promise.all(loads);
    const { body } = await send(mock, 'GET /orders?limit=100000');
    const kept = new Set((body as readonly { readonly id: number }[]).map(({ id }) => id));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);

    // One ended before; if that was more than ten seconds ago, one more has to.
    const others = new Set([victim]);
    while (mock.process.exitCode === null && others.size < 5) {
      const found = workersOf(mock).find((pid) => !others.has(pid));
      if (found !== undefined) process.kill(found, 'SIGKILL');
      if (found !== undefined) others.add(found);
      const hasEnded = (): boolean =>
        mock.process.exitCode !== null || workersOf(mock).some((pid) => !others.has(pid));
      await expect.poll(hasEnded, patiently).toBe(true);
    }
    const { code, output } = await mock.ended();
    expect([code, output]).toEqual([
      4,
      expect.stringContaining('Failed to run the mock with "--workers 2": 3 workers'),
    ]);
  },
);

test.runIf(process.platform === 'linux')(
  'a worker that does not answer for ten seconds is replaced, also if nothing changes',
  { timeout: minute },
  async () => {
    const mock = await start('--quiet', '--no-watch');
    const [hanging = 0] = workersOf(mock);
    expect((await send(mock, 'POST /orders', { id: 7 })).status).toBe(201);
    process.kill(hanging, 'SIGSTOP');
    await expect
      .poll(() => mock.output(), patiently)
      .toContain('A worker was started again: it did not answer for 10 seconds.');
    await expect.poll(() => workersOf(mock).length, patiently).toBe(2);
    expect(workersOf(mock)).not.toContain(hanging);
    expect(await send(mock, 'GET /orders')).toMatchObject({ status: 200, body: [{ id: 7 }] });
  },
);

test(
  'a changed document reaches all workers, and one port in use is one error',
  { timeout: minute },
  async () => {
    const mock = await start();
    expect(await statusesOf(mock, 'GET /invoices')).toEqual([404]);
    await writeFile(join(folder, 'api.json'), documentOf({ ...orders, '/invoices': { get: list } }));
    await expect.poll(() => mock.output(), patiently).toContain('added    GET /invoices');
    expect(await statusesOf(mock, 'GET /invoices')).toEqual([200]);
    // The workers have read it, too: nothing is left to the primary.
    expect(mock.output()).not.toContain('A worker leaves');

    const { port } = new URL(mock.url);
    const words = ['mock', 'api.json', '--workers', '2', '--store', 'file:s.db', '--port', port];
    const { code, stderr } = await runCloche(words, { folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Failed to listen on "127\.0\.0\.1:\d+": another program has the port\. .+\n$/u);
  },
);

test(
  'workers serve HTTPS with HTTP/2, CORS, handlers and the control interface',
  { timeout: minute },
  async () => {
    await writeFile(
      join(folder, 'handlers.mjs'),
      'export default { countOrders: () => ({ status: 200, body: { total: 7 } }) };',
    );
    const total = { type: 'object', required: ['total'], properties: { total: { type: 'integer' } } };
    const count = {
      operationId: 'countOrders',
      responses: { 200: { description: 'A number.', ...json(total) } },
    };
    await writeFile(join(folder, 'api.json'), documentOf({ ...orders, '/count': { get: count } }));
    const words = [
      'mock',
      'api.json',
      '--port',
      '0',
      '--workers',
      '2',
      '--store',
      'file:s.db',
      '--token',
      't',
    ];
    const mock = await startCommand([...words, '--https', '--handlers', 'handlers.mjs'], {
      folder,
      ready: /mocked on (https:\S+)\n/u,
      env: { XDG_CACHE_HOME: folder },
    });
    const ca = readFileSync(join(folder, 'cloche', 'localhost.pem'));

    /** Sends a request over an HTTP/2 connection of its own, so that the workers take turns. */
    async function get(
      path: string,
      headers: object = {},
    ): Promise<{ readonly head: object; readonly body: unknown }> {
      const session = connect(mock.url, { ca });
      const stream = session.request({ ':path': path, authorization: 'Bearer t', ...headers });
      const [[head], content] = await Promise.all([once(stream, 'response'), text(stream)]);
      session.close();
      return { head, body: JSON.parse(content) };
    }

    try {
      for (let turn = 0; turn < 4; turn += 1) {
        const { head, body } = await get('/count', { origin: 'http://localhost:5173' });
        expect(head).toMatchObject({
          ':status': 200,
          'access-control-allow-origin': 'http://localhost:5173',
        });
        expect(body).toEqual({ total: 7 });
      }
      const { head, body } = await get('/__cloche/requests');
      expect(head).toMatchObject({ ':status': 200 });
      expect(body).toMatchObject({ requests: Array.from({ length: 4 }, () => ({})) });
    } finally {
      await mock.stop();
    }
  },
);
