import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { toWire, type Wire } from '../../../fixtures/sockets/to-wire.ts';
import { createMock } from '../create-mock.ts';
import type { FaultRule } from '../faults/fault.ts';
import type { Listener, Mock } from '../mock.ts';

const plantStore = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));
const hour = 3_600_000;
const opened: { close(): unknown }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

async function serve(...faults: readonly FaultRule[]): Promise<{ mock: Mock; listener: Listener }> {
  const mock = await createMock(plantStore, { tokens: ['t'], faults });
  opened.push(mock);
  return { mock, listener: await mock.listen() };
}

function open({ url }: Listener): Wire {
  const { port, hostname } = new URL(url);
  const wire = toWire(connect(Number(port), hostname));
  opened.push({ close: () => wire.socket.destroy() });
  return wire;
}

/** A create as it travels. */
function create(id: number, fields = ''): string {
  const body = `{"id":${id},"name":"Sweet Basil"}`;
  const head = 'Host: a\r\nAuthorization: Bearer t\r\nContent-Type: application/json\r\n';
  return `POST /plants HTTP/1.1\r\n${head}${fields}Content-Length: ${body.length}\r\n\r\n${body}`;
}

test('drops the connection before a byte of the answer, and creates nothing', async () => {
  const { listener, mock } = await serve({ connection: 'drop', times: 1 });
  const wire = open(listener);
  wire.write(create(1));
  await wire.closed;
  expect(wire.text()).toBe('');
  expect(mock.requests.list()[0]).toMatchObject({ status: 0, verdict: 'forced', fault: 'fault-1' });
  const next = open(listener);
  next.write(create(1));
  expect(await next.until(/\}$/u)).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
});

const chrome = 'User-Agent: Mozilla/5.0 Chrome/142.0.0.0\r\n';

test.each([
  ['drops again what Chromium sends again by itself', chrome, ['', '', '']],
  ['takes what another client sends again for a request of its own', '', ['', '200', '400']],
])('%s', async (_, agent, expected) => {
  const { listener, mock } = await serve();
  const used = open(listener);
  used.write(create(1));
  await used.until(/\}$/u);
  mock.faults.put({ connection: 'drop', times: 1 });
  const alsoUsed = open(listener);
  alsoUsed.write('GET / HTTP/1.1\r\nHost: a\r\nCloche-Fault: delay=0\r\n\r\n');
  await alsoUsed.until(/\}$/u);
  const outcomes: string[] = [];
  // On a connection that was used, on another one, and on one of its own.
  for (const wire of [used, alsoUsed, open(listener)]) {
    const before = wire.text();
    const answers = before.match(/HTTP\/1/gu)?.length ?? 0;
    wire.write(create(2, agent));
    await Promise.race([wire.closed, wire.until(new RegExp(`^(?:HTTP/1[^}]*\\}){${answers + 1}}$`, 'u'))]);
    outcomes.push(/HTTP\/1\.1 (\d+)/u.exec(wire.text().slice(before.length))?.[1] ?? '');
  }
  expect(outcomes).toEqual(expected);
  expect(mock.faults.list()[0]).toMatchObject({ applied: 1 });
  const next = open(listener);
  next.write(create(3, agent));
  expect(await next.until(/\}$/u)).toMatch(/^HTTP\/1\.1 200 /u);
});

test('ends the connection in the middle of the content, whose length it says', async () => {
  const { listener } = await serve({ connection: 'truncate', times: 1 });
  const wire = open(listener);
  wire.write(create(1));
  await wire.closed;
  const whole = '{"name":"Sweet Basil"}';
  expect(wire.text()).toContain(`\r\nContent-Length: ${whole.length}\r\n`);
  expect(wire.text().split('\r\n\r\n')[1]).toBe(whole.slice(0, whole.length / 2));
  // The plant was created all the same.
  const next = open(listener);
  next.write(create(1));
  expect(await next.until(/\}$/u)).toMatch(/^HTTP\/1\.1 400 /u);
});

test('cuts an answer off only when all of the request has come, so that its half arrives', async () => {
  const { listener, mock } = await serve({ connection: 'truncate', answer: { status: 503 } });
  const wire = open(listener);
  const [head, body] = create(1).split('\r\n\r\n');
  wire.write(`${head}\r\n\r\n`);
  await expect.poll(() => mock.faults.list()[0]?.applied).toBe(1);
  expect(wire.text()).toBe('');
  wire.write(body ?? '');
  expect(await wire.closed).toBe('ended');
  expect(wire.text()).toMatch(/^HTTP\/1\.1 503 [^]*\r\n\r\n\{"error":503[^}]*$/u);
});

test.each(['POST', 'HEAD'])(
  'writes nothing of an answer to %s without content, half of it or not',
  async (method) => {
    const { listener } = await serve({ connection: 'truncate' });
    const wire = open(listener);
    wire.write(create(1, 'Prefer: code=204\r\n').replace('POST', method));
    await wire.closed;
    expect(wire.text()).toBe('');
  },
);

test('holds back one answer and none of the others, and lets a listener that closes say it at once', async () => {
  const { listener } = await serve({ delay: hour, times: 1 });
  const slow = open(listener);
  slow.write(create(1));
  // The next ones tell that the first was taken.
  await expect
    .poll(async () => {
      const next = open(listener);
      next.write(create(1));
      return next.until(/\}$/u);
    })
    .toMatch(/^HTTP\/1\.1 400 /u);
  expect(slow.text()).toBe('');
  await listener.close();
  expect(await slow.until(/\}$/u)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n/u);
});

test('closes at once though the client of a late answer has gone', async () => {
  const { listener, mock } = await serve({ delay: hour });
  const wire = open(listener);
  wire.write(create(1));
  await expect.poll(() => mock.requests.list().length).toBe(1);
  wire.socket.resetAndDestroy();
  await listener.close();
  expect(wire.text()).toBe('');
});

test('keeps the order of answers on a connection where the first one is late', async () => {
  const { listener } = await serve({ delay: 20, times: 1 });
  const wire = open(listener);
  wire.write(create(1) + create(1));
  expect((await wire.until(/400 [^]*\}$/u)).match(/HTTP\/1\.1 \d+/gu)).toEqual([
    'HTTP/1.1 200',
    'HTTP/1.1 400',
  ]);
});

test.each([
  ['dropped', 'drop', /^HTTP[^]*\}$/u, 1],
  ['cut off', 'truncate', /^HTTP[^]*\}HTTP[^]*\{[^}]*$/u, 2],
])(
  'writes the answers before one that is %s on a connection, and takes no request after it',
  async (_, fault, expected, answers) => {
    const { listener, mock } = await serve();
    for (const [id, before] of [
      [1, ''],
      [11, 'Cloche-Fault: delay=20\r\n'],
    ] as const) {
      const wire = open(listener);
      wire.write(create(id, before) + create(id + 1, `Cloche-Fault: ${fault}\r\n`) + create(id + 2));
      expect(await wire.closed).toBe('ended');
      expect(wire.text()).toMatch(expected);
      expect(wire.text().match(/HTTP/gu)).toHaveLength(answers);
    }
    const { resources } = await mock.state.list('/plants');
    expect(resources.map(({ key }) => Number(key) % 10)).not.toContain(3);
  },
);

test('answers late, then cut off, as the request itself says', async () => {
  const { listener } = await serve();
  const wire = open(listener);
  wire.write(create(1, 'Cloche-Fault: delay=1..5, status=503, retry-after=3, truncate\r\n'));
  await wire.closed;
  expect(wire.text()).toMatch(/^HTTP\/1\.1 503 [^]*\r\nRetry-After: 3\r\n[^]*\{"error":503/u);
  expect(wire.text().endsWith('}')).toBe(false);
});

test('reads what a client still sends while its answer is held back', async () => {
  const { listener } = await serve({ delay: 20, answer: { status: 503 } });
  const wire = open(listener);
  const size = 300_000;
  wire.write(`POST /plants HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`);
  wire.write('x'.repeat(size));
  expect(await wire.until(/\}$/u)).toMatch(/^HTTP\/1\.1 503 /u);
  // The connection goes on.
  wire.write('GET /plants HTTP/1.1\r\nHost: a\r\n\r\n');
  expect((await wire.until(/\}HTTP[^]*\}$/u)).match(/HTTP\/1\.1 503/gu)).toHaveLength(2);
});

test.each(['Cloche-Fault: drop\r\n', ''])(
  'writes no answer to a tunnel that is dropped (%j)',
  async (field) => {
    const { listener } = await serve(...(field === '' ? [{ connection: 'drop' } as const] : []));
    const wire = open(listener);
    wire.write(`CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n${field}\r\n`);
    await wire.closed;
    expect(wire.text()).toBe('');
  },
);

test('gives the global fetch the errors that it knows', async () => {
  const { listener } = await serve();
  const target = `${listener.url}/plants`;
  await expect(fetch(target, { headers: { 'cloche-fault': 'drop' } })).rejects.toThrow(TypeError);
  const half = await fetch(target, { headers: { 'cloche-fault': 'truncate' } });
  expect(half.status).toBe(405);
  await expect(half.text()).rejects.toThrow(TypeError);
});
