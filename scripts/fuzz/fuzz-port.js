import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mutateBytes } from './mutate.js';
import { startCommand } from './start-command.js';

const document = fileURLToPath(new URL('../../fixtures/documents/projects.yaml', import.meta.url));
/** So many connections are open at once, and so many follow each other before the mock is asked whether it lives. */
const [atOnce, perRound] = [8, 400];
/** So long a connection is kept, where the mock does not close it, and so long a plain request may take. */
const [keptMs, answeredMs] = [150, 5_000];

const request = (line, body = '', headers = '') =>
  `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}${
    body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  }\r\n${body}`;
const bases = [
  request('GET /projects'),
  request('GET /projects?limit=2&cursor=a%2Fb'),
  request('POST /projects', '{"name":"Ada"}'),
  request('PUT /projects/1', '{"name":"Ada","tags":[1,{"a":null}]}'),
  request('PATCH /projects/1', '{"name":null}', 'If-Match: "a", W/"b"\r\n'),
  request('DELETE /projects/1'),
  request('POST /projects/1/tasks', '{"title":"a"}', 'Accept: application/json;q=0.5, */*\r\n'),
  request('GET /__cloche/requests?method=POST'),
  request('PUT /__cloche/state', '{"resources":{"/projects":[{"id":1}]}}'),
  request('POST /__cloche/faults', '{"path":"/projects","status":503}'),
  request('OPTIONS /projects', '', 'Origin: http://a.example\r\nAccess-Control-Request-Method: POST\r\n'),
  'POST /projects HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\n8;x=y\r\ne":"Ad"}\r\n0\r\nTrailer: a\r\n\r\n',
  `${request('GET /projects')}${request('POST /projects', '{"name":"b"}')}${request('GET /projects/1')}`,
].map((text) => Buffer.from(text, 'latin1'));
const words = [
  '\r\n',
  '\n',
  '\0',
  ' ',
  '\r\n\r\n',
  '%',
  '%00',
  '%2F',
  '..',
  '//',
  '?',
  '#',
  '{',
  '}',
  '[[[[',
  '"\\ud800"',
  '1e400',
  '-0',
  '9007199254740993',
  'Content-Length: 9\r\n',
  'Content-Length: -1\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Expect: 100-continue\r\n',
  'Connection: Upgrade\r\nUpgrade: h2c\r\n',
  'Range: bytes=0-\r\n',
  'X: '.padEnd(20_000, 'x'),
  'a: b\r\n'.repeat(1_500),
  '__proto__',
  'constructor',
  '\xff\xfe',
  '\ufeff',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
].map((word) => Buffer.from(word, 'utf8').toString('latin1'));

/**
 * Sends bytes, reads what comes, and leaves.
 * @returns {Promise<string>} the status, or how it went
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

/**
 * @param {{ random: import('./mutate.js').Random, isOver: () => boolean }} options
 * @returns {Promise<readonly string[]>} what went wrong
 */
export async function fuzzPort({ random, isOver }) {
  const command = await startCommand(['mock', document, '--port', '0', '--log', 'json']);
  const { port } = command;
  const problems = [];
  const statuses = new Map();
  let [sent, slowestMs] = [0, 0];
  while (!isOver() && command.isRunning()) {
    let left = perRound;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (left-- > 0) {
          const status = await sendBytes(port, mutateBytes(random.pick(bases), random, words));
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          sent += 1;
        }
      }),
    );
    const from = performance.now();
    // Faults that were asked for by chance are no hang.
    const ask = (path, method) =>
      fetch(`http://127.0.0.1:${port}${path}`, { method, signal: AbortSignal.timeout(answeredMs) }).catch(
        (error) => error,
      );
    const reset = await ask('/__cloche/reset', 'POST');
    const listed = await ask('/projects', 'GET');
    slowestMs = Math.max(slowestMs, performance.now() - from);
    if (reset.ok !== true || listed.status !== 200) {
      problems.push(
        `after ${sent} requests a plain one was answered ${listed.status ?? listed}, a reset ${reset.status ?? reset}`,
      );
      break;
    }
    // The log is full and code is compiled by then.
    if (sent >= 10 * perRound) command.markWarm();
  }
  problems.push(...command.findProblems());
  const table = [...statuses]
    .toSorted(([left], [right]) => left.localeCompare(right, 'en'))
    .map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(
    `${sent} connections (${table.join(', ')}); the slowest look ${Math.round(slowestMs)} ms; ${command.describe()}\n`,
  );
  command.child.kill();
  return problems;
}
