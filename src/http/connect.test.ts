import { createServer as createTcpServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import { createUrlSends, request } from '../../fixtures/sockets/url-sends.ts';
import { isStaleConnectionDrop } from './connect.ts';
import type { Answer } from './message.ts';

const closer = createCloser();

afterEach(() => closer.closeAll());

const { sendTo, sendToHttp, sendToBytes } = createUrlSends(closer);

function responseOf(answer: Answer): { status: number; headers: unknown; text: string } {
  if (answer.kind !== 'response') throw new Error(`no response: ${JSON.stringify(answer)}`);
  const { status, headers, body } = answer.response;
  return { status, headers, text: Buffer.from(body).toString() };
}

test('gives bytes after an answer to no other request', async () => {
  const send = await sendToBytes((number, socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${number}HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n`,
    );
  });
  expect(responseOf(await send(request()))).toMatchObject({ status: 200, text: '1' });
  expect(responseOf(await send(request()))).toMatchObject({ status: 200, text: '1' });
});

test('keeps connections, and gives each up where its service does', async () => {
  const ports = new Set<number | undefined>();
  const send = await sendToHttp((incoming, outgoing) => {
    ports.add(incoming.socket.remotePort);
    outgoing.writeHead(200, incoming.url === '/last' ? { Connection: 'close' } : {}).end('ok');
  });
  for (const target of ['/', '/', '/last', '/', '/']) {
    expect(responseOf(await send(request({ target }))).text).toBe('ok');
  }
  expect(ports.size).toBe(2);
});

test('marks a drop on a used connection as one that says nothing, and uses none again', async () => {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    let count = 0;
    socket.on('data', () => {
      count += 1;
      if (count === 1) {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        return;
      }
      socket.destroy();
    });
  });
  const send = sendTo(`http://127.0.0.1:${await closer.listen(server)}`);
  const answers: Answer[] = [];
  for (let count = 0; count < 5; count += 1) {
    answers.push(await send(request({ method: 'POST' })));
  }
  expect(answers.map(({ kind }) => kind)).toEqual([
    'response',
    'dropped',
    'response',
    'response',
    'response',
  ]);
  expect(answers.map((answer) => isStaleConnectionDrop(answer))).toEqual([false, true, false, false, false]);
  expect(connections).toBe(4);
});

test('loses no request to a service that closes each connection after its answer without a word', async () => {
  const send = await sendToBytes((_number, socket) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  });
  for (let count = 0; count < 20; count += 1) {
    const answer = await send(request({ method: 'POST' }));
    expect(answer.kind === 'response' || isStaleConnectionDrop(answer)).toBe(true);
    expect(count < 2 || answer.kind === 'response').toBe(true);
  }
});

test('sends no more requests at once than it has connections', async () => {
  let underWay = 0;
  let most = 0;
  const send = await sendToHttp(
    (_incoming, outgoing) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        outgoing.end('ok');
      }, 5);
    },
    { connections: 3 },
  );
  const answers = await Promise.all(Array.from({ length: 12 }, () => send(request())));
  expect(answers.every(({ kind }) => kind === 'response')).toBe(true);
  expect(most).toBe(3);
});
