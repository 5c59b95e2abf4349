import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gzipSync } from 'node:zlib';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { drawCases, runsAllCases } from '../../fixtures/draw-cases.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-endless-'));
const block = Buffer.alloc(64 * 1_024, ' ');
/** A megabyte that unfolds to a gigabyte. */
const bomb = gzipSync(Buffer.alloc(1_024 * 1_024 * 1_024, ' '), { level: 9 });
const servers: Server[] = [];

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  rmSync(folder, { recursive: true, force: true });
});

/** Writes for as long as the other side reads. */
function writeOn(socket: Socket, piece: Buffer): void {
  while (!socket.destroyed && socket.write(piece)) {
    // It takes more.
  }
  socket.once('drain', () => writeOn(socket, piece));
}

const json = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const ways: Readonly<Record<string, (socket: Socket) => void>> = {
  'content in chunks': (socket) => {
    socket.write(`${json}Transfer-Encoding: chunked\r\n\r\n`);
    writeOn(socket, Buffer.concat([Buffer.from('10000\r\n'), block, Buffer.from('\r\n')]));
  },
  'content of a length': (socket) => {
    socket.write(`${json}Content-Length: 9000000000000\r\n\r\n{`);
    writeOn(socket, block);
  },
  'content that the end of the connection ends': (socket) => {
    socket.write(`${json}\r\n{`);
    writeOn(socket, block);
  },
  'content in gzip that unfolds': (socket) => {
    socket.write(`${json}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
    socket.write(bomb);
  },
  'interim answers': (socket) => {
    writeOn(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_000)));
  },
  fields: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    writeOn(socket, Buffer.from('X-Field: value\r\n'.repeat(1_000)));
  },
};

/** Starts a service that answers each request in that way, whatever it is. */
async function serve(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    let head = '';
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1');
      if (head.includes('\r\n\r\n')) {
        head = '';
        answer(socket);
      }
    });
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

async function measure(words: readonly string[]): Promise<{
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly megabytes: number;
}> {
  const list = join(folder, 'memory.txt');
  const watcher = new URL('../../fixtures/note-memory.js', import.meta.url).href;
  const ended = await runCloche(words, {
    folder,
    env: { NODE_OPTIONS: `--import=${watcher}`, CLOCHE_TEST_MEMORY: list, CLOCHE_TOKEN: 'tok-en-1' },
  });
  return { ...ended, megabytes: Number(readFileSync(list, 'utf8')) / 1_024 };
}

test.each(drawCases(Object.entries(ways), 3))(
  'reads so much of %s, says so, and writes whole reports',
  { timeout: 5 * minute },
  async (_, answer) => {
    const service = await serve(answer);
    const kinds = ['har', 'json', 'html', 'junit'];
    const { code, stdout, stderr, megabytes } = await measure([
      ...`test ${service} --seed 7 --runs 20 --timeout 2000 --connections 4 --suite valid-bodies --suite framing`.split(
        ' ',
      ),
      ...kinds.flatMap((kind) => ['--report', `${kind}=r.${kind}`]),
    ]);
    expect([0, 1, 3]).toContain(code);
    expect(stderr).not.toContain('Cloche itself failed');
    expect(`${stdout}${stderr}`).toMatch(
      /longer than (?:is read|the limit)|no end in sight|does not answer/u,
    );
    // A plain run takes some 200, and this one some 400; with a response limit of 256 MiB it takes 1,600.
    expect(megabytes).toBeLessThan(1_200);
    expect(Object.keys(JSON.parse(readFileSync(join(folder, 'r.har'), 'utf8')))).toEqual(['log']);
    expect(kinds.filter((kind) => statSync(join(folder, `r.${kind}`)).size > 256 * 1_024 * 1_024)).toEqual(
      [],
    );
  },
);

test('judges status and fields of an answer that is longer than is read, and the content of one that is not', async () => {
  const service = await serve((socket) => {
    socket.write(
      `${json.replace('application/json', 'text/html')}Content-Length: 40000\r\n\r\n${'x'.repeat(40_000)}`,
    );
  });
  const words = ['test', service, '--seed', '7', '--runs', '5', '--suite', 'valid-bodies'];
  const short = await runCloche([...words, '--response-limit', '4096', '--report', 'json'], {
    folder,
    env: { CLOCHE_TOKEN: 't' },
  });
  const { findings } = JSON.parse(short.stdout) as {
    findings: {
      check: string;
      level: string;
      exchange: { answer: { cutAfter?: number; body: { text: string } } };
    }[];
  };
  expect(findings.map(({ check, level }) => `${check} ${level}`).toSorted()).toEqual([
    'response-media-type violation',
    'response-size warning',
  ]);
  expect(short.stdout).toContain('"cutAfter": 4096');
  const long = await runCloche([...words, '--response-limit', '1000000'], {
    folder,
    env: { CLOCHE_TOKEN: 't' },
  });
  expect(long.stdout).not.toContain('longer than is read');
  const bad = await runCloche([...words, '--response-limit', 'x'], { folder });
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('--response-limit')]);
});

test('learns with a bound too', { timeout: 2 * minute }, async () => {
  const service = await serve(ways['content in chunks'] ?? (() => undefined));
  const words = `learn ${service} --question duplicate-key --question missing-credentials --timeout 2000 -o policy.json`;
  const { code, megabytes, stderr } = await measure(words.split(' '));
  expect([code, megabytes < 1_200, stderr]).toEqual([0, true, '']);
});

test('keeps a bounded part of what passes through the proxy, and says so in its HAR report', async () => {
  const service = await serve(ways['content in chunks'] ?? (() => undefined));
  const list = join(folder, 'proxy-memory.txt');
  const watcher = new URL('../../fixtures/note-memory.js', import.meta.url).href;
  const proxy = await startCommand(['proxy', service, '--port', '0', '--report', 'har=proxied.har'], {
    folder,
    ready: /by proxy on (\S+)\n/u,
    env: { NODE_OPTIONS: `--import=${watcher}`, CLOCHE_TEST_MEMORY: list },
  });
  const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };
  const answer = await fetch(`${proxy.url}/plants`, { method: 'POST', headers, body: '{"id":1,"name":"a"}' });
  let passed = 0;
  for await (const bytes of answer.body ?? []) {
    passed += bytes.length;
    if (passed > 400 * 1_024 * 1_024) break;
  }
  const { code, output } = await proxy.stop();
  expect([0, 1, 3]).toContain(code);
  expect(output).not.toContain('Cloche itself failed');
  expect(Number(readFileSync(list, 'utf8')) / 1_024).toBeLessThan(350);
  const text = readFileSync(join(folder, 'proxied.har'), 'utf8');
  const { log }: { log: { entries: { response: { _error: string } }[] } } = JSON.parse(text);
  expect(text.length).toBeLessThan(8 * 1_024 * 1_024);
  expect(log.entries.map(({ response }) => response['_error'])).toEqual([
    expect.stringContaining('its client went away before its end'),
  ]);
});

test.runIf(runsAllCases)(
  'shows the beginning of the longest content that the proxy may judge',
  { timeout: 2 * minute },
  async () => {
    const service = await serve(ways['content of a length'] ?? (() => undefined));
    const how = ['proxy', service, '--port', '0', '--report', 'har=long.har', '--judge-limit'];
    const refused = await runCloche([...how, '1000000000'], { folder });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('268435456')]);
    const proxy = await startCommand([...how, '268435456'], { folder, ready: /by proxy on (\S+)\n/u });
    const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };
    const answer = await fetch(`${proxy.url}/plants`, {
      method: 'POST',
      headers,
      body: '{"id":1,"name":"a"}',
    });
    let passed = 0;
    for await (const bytes of answer.body ?? []) {
      passed += bytes.length;
      // An array holds fewer characters.
      if (passed > 150_000_000) break;
    }
    const { code, output } = await proxy.stop();
    expect([code, output]).toEqual([3, expect.stringContaining('nothing that passed can be judged')]);
    const { log }: { log: { entries: { response: { content: object } }[] } } = JSON.parse(
      readFileSync(join(folder, 'long.har'), 'utf8'),
    );
    expect(log.entries.map(({ response }) => response.content)).toEqual([
      expect.objectContaining({
        _cut: true,
        comment: expect.stringMatching(/^Only the beginning is kept: there were \d{3},[\d,]+ bytes\.$/u),
      }),
    ]);
  },
);
