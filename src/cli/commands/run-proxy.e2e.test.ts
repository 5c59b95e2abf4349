import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { type RunningCommand, startCommand } from '../../../fixtures/proxy/start-command.ts';
import { runCloche } from '../../../fixtures/run-cloche.ts';
import { startService } from '../../../fixtures/start-service.ts';
import { createTextStyle } from '../../errors/console-text.ts';
import type { TrafficEvent } from '../../events/events.ts';
import type { Exchange } from '../../http/message.ts';
import { createTrafficLog } from './run-proxy.ts';

function linesOf(events: readonly TrafficEvent[], columns?: number): readonly string[] {
  const lines: string[] = [];
  const log = createTrafficLog({
    paint: createTextStyle(false),
    secrets: ['hush-hush'],
    columns: () => columns,
    writeLine: (line) => lines.push(line),
  });
  events.forEach((event, index) => log(event, index + 7));
  return lines;
}

const startedAt = new Date(2026, 10, 21, 12, 30, 1).getTime();
const exchange: Exchange = {
  request: { method: 'GET', target: '/orders/hush-hush\u001B[2J', headers: [], body: undefined },
  answer: { kind: 'dropped', reason: '', received: new Uint8Array() },
  durationMs: 1.26,
};
const unjudged: TrafficEvent = {
  kind: 'traffic-unjudged',
  place: 'exchange 7',
  reason: 'its client went away before its end',
  exchange,
  startedAt,
};

test('writes a line for an exchange, with its number and why it is not judged', () => {
  const response = { status: 200, headers: [], body: new Uint8Array() };
  const answered: Exchange = { ...exchange, answer: { kind: 'response', response } };
  expect(linesOf([unjudged, { ...unjudged, exchange: answered, reason: 'it is odd' }])).toEqual([
    String.raw`    7 12:30:01 GET     /orders/[secret]\u{1b}[2J ---    1.3 ms  not judged: its client went away before its end`,
    String.raw`    8 12:30:01 GET     /orders/[secret]\u{1b}[2J 200    1.3 ms  not judged: it is odd`,
  ]);
});

test('cuts lines to the width of the terminal', () => {
  const [line = ''] = linesOf([unjudged], 40);
  expect([line.length, line.at(-1)]).toEqual([40, '…']);
});

const minute = 60_000;
const token = 'good-token-of-the-test';
const folder = await mkdtemp(join(tmpdir(), 'cloche-proxy-'));
const running: ChildProcess[] = [];
const servers: Server[] = [];

beforeAll(() => buildWhenStale(), 2 * minute);

afterAll(async () => {
  running.forEach((child) => child.kill('SIGKILL'));
  servers.forEach((server) => server.close());
  await rm(folder, { recursive: true, force: true });
});

async function start(
  words: readonly string[],
  ready: RegExp,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningCommand> {
  const command = await startCommand(words, { folder, ready, env });
  running.push(command.process);
  return command;
}

const startProxy = (baseUrl: string, ...words: string[]): Promise<RunningCommand> =>
  start(['proxy', baseUrl, '--port', '0', '--token', token, ...words], /proxy on (http:\S+:\d+)\s/u);

async function startFaultyService(id: string): Promise<string> {
  const { server, url } = await startService(id, token);
  servers.push(server);
  return url;
}

async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // `as`: a server that listens on a port has an address with one.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const testThrough = (url: string): ReturnType<typeof runCloche> =>
  runCloche(['test', url, '--runs', '10'], { folder, env: { CLOCHE_TOKEN: token } });

test(
  'the suites through the proxy come to what they come to directly, and so does the proxy: a clean mock',
  { timeout: 2 * minute },
  async () => {
    const mock = await start(['mock', '--port', '0', '--token', token, '-q'], /mocked on (http:\S+:\d+)\n/u);
    const proxy = await startProxy(mock.url, '--report', 'json=clean.json');
    const through = await testThrough(proxy.url);
    expect([through.code, through.stdout]).toEqual([
      0,
      expect.stringMatching(/\nPASS  .*: nothing found in/u),
    ]);
    const { code, output } = await proxy.stop();
    await mock.stop();
    expect([code, output]).toEqual([0, expect.stringMatching(/\nPASS  .*: nothing found in/u)]);
    expect(output).toMatch(/^ +\d+ [\d:]{8} POST {4}\/plants +200 +[\d.]+ ms {2}createPlant$/mu);
    expect(output).not.toContain(token);
    expect(JSON.parse(await readFile(join(folder, 'clean.json'), 'utf8')).findings).toEqual([]);
  },
);

test(
  'the proxy finds the fault that a run finds, tells it as it is first seen, and ends with 1',
  { timeout: 2 * minute },
  async () => {
    const url = await startFaultyService('500-on-non-ascii');
    const proxy = await startProxy(url, '--quiet', '--report', 'json=faulty.json', '--mark');
    const through = await testThrough(proxy.url);
    expect([through.code, through.stdout]).toEqual([1, expect.stringContaining('[server-error-')]);
    const { code, output } = await proxy.stop();
    expect([code, output]).toEqual([1, expect.stringContaining('[server-error-')]);
    expect(output).not.toContain('POST    /plants');
    const { findings } = JSON.parse(await readFile(join(folder, 'faulty.json'), 'utf8'));
    expect(new Set(findings.map(({ check }: { check: string }) => check))).toEqual(new Set(['server-error']));
  },
);

test(
  'ends with 2 where its port is taken, and with 3 where nothing passed',
  { timeout: minute },
  async () => {
    const url = await listen(createServer());
    const taken = await runCloche(['proxy', url, '--port', new URL(url).port], { folder });
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('another program has the port')]);
    const idle = await (await startProxy(url)).stop();
    expect([idle.code, idle.output]).toEqual([3, expect.stringContaining('nothing passed')]);
  },
);

/** Has a process get each of these signals twice, at once: on a busy machine, a signal from outside may come later. */
const twice = `for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => process.kill(process.pid, signal));`;

/** A proxy with a request under way, which the service answers when it is told to. */
async function startBusy(env: Readonly<Record<string, string>> = {}): Promise<{
  readonly proxy: RunningCommand;
  readonly answered: Promise<number | 'broken off'>;
  readonly answer: () => void;
}> {
  const service = createServer();
  const words = ['proxy', await listen(service), '--port', '0', '--token', token, '--quiet'];
  const proxy = await start(words, /proxy on (http:\S+:\d+)\s/u, env);
  const answered = fetch(`${proxy.url}/plants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"id":1,"name":"Basil"}',
  }).then(
    ({ status }) => status,
    () => 'broken off' as const,
  );
  const [request, response] = await once(service, 'request');
  await once(request.resume(), 'end');
  return {
    proxy,
    answered,
    answer() {
      response.setHeader('content-type', 'application/json');
      response.end('{"name":"Basil"}');
    },
  };
}

/** Waits until a proxy takes no more connections, which it says by refusing them. */
async function untilStopping({ url }: RunningCommand): Promise<void> {
  async function isRefused(): Promise<boolean> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    try {
      await once(socket, 'connect');
      return false;
    } catch {
      return true;
    } finally {
      socket.destroy();
    }
  }
  await expect.poll(isRefused, { timeout: minute }).toBe(true);
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'what is under way at %s finishes, and the report is printed once, though npx hands the signal on',
  { timeout: minute },
  async (signal) => {
    const preload = `--import=data:text/javascript,${encodeURIComponent(twice)}`;
    const { proxy, answered, answer } = await startBusy({ NODE_OPTIONS: preload });
    proxy.process.kill(signal);
    await untilStopping(proxy);
    answer();
    expect(await answered).toBe(200);
    const { code, output } = await proxy.ended();
    expect([code, output.split('1 exchange judged, ')]).toEqual([
      0,
      [expect.any(String), expect.stringMatching(/^0 not\.\n\nPASS  .*: nothing found in 1 exchange\n$/u)],
    ]);
  },
);

test.each([
  ['SIGINT', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
  ['SIGINT', 'SIGINT'],
] as const)(
  'ends at once, without a report, where it is told to stop by %s, and again by %s',
  { timeout: minute },
  async (first, second) => {
    const { proxy, answered } = await startBusy();
    proxy.process.kill(first);
    await untilStopping(proxy);
    const again = setInterval(() => proxy.process.kill(second), 100);
    const { code, output } = await proxy.ended();
    clearInterval(again);
    expect([code, await answered]).toEqual([130, 'broken off']);
    expect(output).not.toContain('judged');
  },
);

test('counts what it answers itself as not judged', { timeout: minute }, async () => {
  const url = await startFaultyService('500-on-non-ascii');
  const proxy = await startProxy(url, '--report', 'har=broken.har');
  for (const words of ['nonsense', 'GET /plants HTTP/1.1\r\nHost : a']) {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    socket.write(`${words}\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/u);
  }
  const { code, output } = await proxy.stop();
  expect([code, output]).toEqual([3, expect.stringContaining('nothing that passed can be judged')]);
  expect(output).toContain(
    '  2 exchanges: it is no HTTP request, and was not forwarded (the first: exchange 1)',
  );
  expect(output).toMatch(/^ +2 [\d:]{8} GET {5}\/plants .*not judged: it is no HTTP request/mu);
  expect(output).toContain('\n0 exchanges judged, 2 not.\n');
  expect(JSON.parse(await readFile(join(folder, 'broken.har'), 'utf8')).log.entries).toHaveLength(2);
});
