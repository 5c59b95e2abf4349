import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mutateBytes } from './mutate.js';
import { startCommand } from './start-command.js';

const document = fileURLToPath(new URL('../../fixtures/documents/projects.yaml', import.meta.url));
/** So many connections are open at once, and so many follow each other before a plain request checks the proxy. */
const [atOnce, perRound] = [8, 400];
/** The longest time in milliseconds that a connection stays open, that a plain request takes, and that the end takes. */
const [keptMs, answeredMs, endedMs] = [150, 5_000, 20_000];

const project = '{"id":1,"name":"Ada"}';
const json = `Content-Type: application/json\r\nContent-Length: ${project.length}\r\n\r\n${project}`;
const plainAnswer = `HTTP/1.1 200 OK\r\n${json}`;
const responses = [
  plainAnswer,
  `HTTP/1.1 201 Created\r\nLocation: /projects/1\r\nETag: "a"\r\nSet-Cookie: sid=secret; Path=/\r\n${json}`,
  `HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${plainAnswer}`,
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n5\r\n{"a":\r\n2;x="y"\r\n1}\r\n0\r\nX-Sum: 7\r\n\r\n',
  'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5, max=9\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\nthe rest of the connection',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\u0081\u0002hi',
  'HTTP/1.1 304 Not Modified\r\nETag: W/"a"\r\nContent-Length: 9\r\n\r\n',
  `${plainAnswer}${plainAnswer}HTTP/1.1 204 No Content\r\n\r\n`,
].map((text) => Buffer.from(text, 'latin1'));
const host = 'Host: 127.0.0.1\r\n';
const requests = [
  `GET /projects/1 HTTP/1.1\r\n${host}\r\n`,
  `HEAD /projects HTTP/1.1\r\n${host}\r\n`,
  `POST /projects HTTP/1.1\r\n${host}Cookie: sid=secret\r\nExpect: 100-continue\r\n${json}`,
  `PUT /projects/1 HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: a\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\na: b\r\n\r\n`,
  `GET /projects HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\nearly`,
  `CONNECT a.example:80 HTTP/1.1\r\n${host}\r\n`,
  `GET /projects HTTP/1.1\r\n${host}\r\nGET /projects/2 HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: a\r\n\r\n`,
  'GET http://a.example/projects HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
].map((text) => Buffer.from(text, 'latin1'));
const words = [
  '\r\n',
  '\n',
  '\0',
  '\u001B',
  '\u007F',
  ' ',
  '\r\n\r\n',
  '\xff',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 102 Processing\r\n\r\n'.repeat(500),
  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'HTTP/1.1 099 X\r\n',
  'HTTP/1.1 999 X\r\n',
  'HTTP/1.1 1000 X\r\n',
  'Content-Length: 9\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 18446744073709551616\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: gzip, chunked\r\n',
  'Trailer: a\r\n',
  'Connection: close\r\n',
  'Connection: Upgrade\r\nUpgrade: h2c\r\n',
  'Content-Encoding: gzip, br, deflate\r\n',
  'Content-Type: text/event-stream\r\n',
  'ffffffffffffffff\r\n',
  '0\r\n\r\n',
  'X: '.padEnd(20_000, 'x'),
  'a: b\r\n'.repeat(1_500),
  'Cookie: a=secret\r\n'.repeat(1_000),
  '__proto__: a\r\n',
].map((word) => Buffer.from(word, 'latin1').toString('latin1'));

/** Starts a service that answers whatever it receives with what `createAnswer` returns. */
async function startService(createAnswer) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => {
      const { bytes, isLast } = createAnswer();
      socket.write(bytes);
      if (isLast) socket.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/**
 * Sends bytes, and reads what comes until the connection ends or has been open for long enough.
 * @returns {Promise<string>} the status, or `nothing`
 */
async function sendBytes(port, bytes) {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1', 0, 200)));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await Promise.race([once(socket, 'close').catch(() => undefined), sleep(keptMs)]);
  socket.destroy();
  return /^HTTP\/1\.1 (\d{3})/u.exec(text)?.[1] ?? 'nothing';
}

/** Interrupts the proxy. @returns {Promise<readonly string[]>} what is wrong with its end */
async function interrupt({ child, findProblems }) {
  let printed = '';
  child.stdout.on('data', (chunk) => (printed = `${printed}${chunk}`.slice(-2_000)));
  const closed = once(child, 'close');
  child.kill('SIGINT');
  const end = await Promise.race([closed, sleep(endedMs, 'late', { ref: false })]);
  if (end === 'late') {
    child.kill('SIGKILL');
    return [`the proxy did not end ${endedMs} ms after SIGINT`];
  }
  const isReported = /\n(?:PASS|FAIL) /u.test(printed);
  return [0, 1].includes(child.exitCode) && isReported ? [] : [...findProblems(), printed.slice(-600)];
}

/**
 * Sends mutated requests through a proxy to a service that answers with mutated responses.
 * @param {{ random: import('./mutate.js').Random, isOver: () => boolean }} options
 * @returns {Promise<readonly string[]>} what went wrong
 */
export async function fuzzProxy({ random, isOver }) {
  let isPlain = false;
  const service = await startService(() =>
    isPlain
      ? { bytes: plainAnswer, isLast: false }
      : { bytes: mutateBytes(random.pick(responses), random, words), isLast: random.below(3) === 0 },
  );
  const url = `http://127.0.0.1:${service.address().port}`;
  // The URL of the service is printed, too. Its name is spelled so that it is not taken for the one of the proxy.
  const command = await startCommand([
    'proxy',
    url.replace('127.0.0.1', 'localhost'),
    '-d',
    document,
    '--port',
    '0',
  ]);
  const problems = [];
  const statuses = new Map();
  let [sent, slowestMs] = [0, 0];
  while (!isOver() && command.isRunning() && problems.length === 0) {
    let left = perRound;
    isPlain = false;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (left-- > 0) {
          const request = random.pick(requests);
          // Most requests are whole, so that the service gets to answer.
          const bytes = random.below(4) === 0 ? mutateBytes(request, random, words) : request;
          const status = await sendBytes(command.port, bytes);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          sent += 1;
        }
      }),
    );
    isPlain = true;
    const from = performance.now();
    const answer = await fetch(`http://127.0.0.1:${command.port}/projects/1`, {
      signal: AbortSignal.timeout(answeredMs),
    })
      .then(async (response) => `${response.status} ${await response.text()}`)
      .catch((error) => `${error.cause ?? error}`);
    slowestMs = Math.max(slowestMs, performance.now() - from);
    if (answer !== `200 ${project}`)
      problems.push(`after ${sent} connections a plain request was answered ${answer}`);
    // Code is compiled by then.
    if (sent >= 5 * perRound) command.markWarm();
  }
  problems.push(...command.findProblems());
  const table = [...statuses]
    .toSorted(([left], [right]) => left.localeCompare(right, 'en'))
    .map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(
    `${sent} connections (${table.join(', ')}); the slowest plain request ${Math.round(slowestMs)} ms; ${command.describe()}\n`,
  );
  if (command.isRunning()) problems.push(...(await interrupt(command)));
  service.close();
  return problems;
}
