import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-hostile-services-'));
const servers: Server[] = [];

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  rmSync(folder, { recursive: true, force: true });
});

async function open(server: Server): Promise<string> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

const token = 'tok-en-of-home';

test(
  'sends nothing to where a service leads with redirects, Location, links and pages',
  { timeout: 2 * minute },
  async () => {
    const strayed: (string | undefined)[] = [];
    const elsewhere = await open(
      createHttpServer((request, response) => {
        strayed.push(request.url);
        response.end('{}');
      }),
    );
    let count = 0;
    const home = await open(
      createHttpServer((request, response) => {
        request.resume().on('end', () => {
          count += 1;
          const moved = [301, 302, 303, 307, 308][count % 5] ?? 301;
          response.writeHead(request.method === 'GET' || count % 3 === 0 ? moved : 201, {
            Location: `${elsewhere}/moved`,
            Link: `<${elsewhere}/next>; rel="next"`,
            'Content-Type': 'application/json',
          });
          const next = `${elsewhere}/page`;
          response.end(JSON.stringify({ id: count, name: 'a', next, _links: { next: { href: next } } }));
        });
      }),
    );
    const lists = new URL('../../fixtures/documents/projects.yaml', import.meta.url).pathname;
    const how = ['-d', lists, '-H', `Authorization: Bearer ${token}`];
    const tried = await runCloche(['test', home, ...how, '--seed', '7', '--max-time', '10'], { folder });
    expect([tried.code, strayed]).toEqual([1, []]);
    const learnt = await runCloche(['learn', home, ...how, '--max-requests', '40'], { folder });
    expect([learnt.code, strayed]).toEqual([expect.toBeOneOf([0, 3]), []]);
    expect(count).toBeGreaterThan(40);
  },
);

const json = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Writes a byte now and then. */
function drip(socket: Socket, piece: string): void {
  const dripping = setInterval(() => socket.write(piece), 50);
  socket.on('close', () => clearInterval(dripping));
}

/** What is sent, and what is said of it. */
const answers: Readonly<Record<string, readonly [bytes: string, said: string]>> = {
  'a length that is too long': [`${json}Content-Length: 40\r\n\r\n{}`, 'a plain request, in time'],
  'a length that is too short': [`${json}Content-Length: 1\r\n\r\n{"name":"a"}`, 'content that is not JSON'],
  'two lengths': [`${json}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, '"2, 3" is no Content-Length'],
  'a length that is no number': [`${json}Content-Length: -0x2\r\n\r\n{}`, '"-0x2" is no Content-Length'],
  'chunks that are none': [
    `${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
    '"zz" is no size of a chunk',
  ],
  'NUL in the first line, a field and the content': [
    `HTTP/1.1 200 O\0K\r\nContent-Type: application/json\r\nX-\0A: \0\r\nContent-Length: 3\r\n\r\n\0{}`,
    'is no header field',
  ],
  'NUL in the content': [`${json}Content-Length: 3\r\n\r\n{\0}`, 'content that is not JSON'],
  'an upgrade that nobody asked for': [
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\0',
    '101 without content',
  ],
};

const dripping: Readonly<Record<string, (socket: Socket) => void>> = {
  'a head that drips': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Field: ');
    drip(socket, 'a');
  },
  'content that drips': (socket) => {
    socket.write(`${json}Content-Length: 9000\r\n\r\n`);
    drip(socket, ' ');
  },
};

const events = (socket: Socket): void => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n');
  drip(socket, 'data: tick\n\n');
};

test('judges an endless stream of events by its media type', { timeout: 2 * minute }, async () => {
  const { code, stdout } = await tryService(events, { timeoutMs: 3_000, more: ' --bail' });
  expect([code, stdout]).toEqual([1, expect.stringContaining('text/event-stream')]);
});

/** @param how.timeoutMs - the time for a whole answer: so short only where none comes, as a busy machine takes its time too */
async function tryService(
  answer: (socket: Socket) => void,
  { timeoutMs = 300, more = '' }: { readonly timeoutMs?: number; readonly more?: string } = {},
): Promise<Ended> {
  const sockets = new Set<Socket>();
  const service = await open(
    createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    }),
  );
  const words = `test ${service} --token ${token} --seed 7 --runs 2 --timeout ${timeoutMs} --max-time 30 --suite valid-bodies${more}`;
  try {
    return await runCloche(words.split(' '), { folder });
  } finally {
    sockets.forEach((socket) => socket.destroy());
  }
}

test.each(drawCases(Object.entries(dripping), 2))(
  'takes %s for no answer, however often something comes',
  { timeout: 2 * minute },
  async (_, answer) => {
    const { code, stdout, stderr } = await tryService(answer);
    expect([code, `${stdout}${stderr}`]).toEqual([
      3,
      expect.stringContaining('it does not answer POST /plants, a plain request, in time'),
    ]);
  },
);

test.each(drawCases(Object.entries(answers), 2))(
  'comes to an end with a service that answers with %s, and says so',
  { timeout: 2 * minute },
  async (_, [bytes, said]) => {
    const { code, stdout, stderr } = await tryService((socket) => socket.write(bytes), { timeoutMs: 1_000 });
    expect([code, stderr]).toEqual([
      expect.toBeOneOf([1, 3]),
      expect.not.stringMatching(/itself failed|^ +at /mu),
    ]);
    expect(`${stdout}${stderr}`).toContain(said);
    expect(`${stdout}${stderr}`).not.toContain('\0');
  },
);
