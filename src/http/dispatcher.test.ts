import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createMemoryConnection } from './memory-connection.ts';

test('gives to each end what is written to the other, in order, and ends when it ends', async () => {
  const { client, server } = createMemoryConnection();
  const [asked, answered] = [once(server, 'end'), text(client)];
  let request = '';
  server.on('data', (piece) => (request += piece));
  client.write('a');
  client.end('b');
  await asked;
  expect(request).toBe('ab');
  server.write('c');
  server.end();
  expect(await answered).toBe('c');
});

test('takes no more than is read', async () => {
  const { client, server } = createMemoryConnection();
  let taken = 0;
  const piece = Buffer.alloc(16_384);
  while (client.write(piece)) {
    taken += 1;
  }
  await new Promise(setImmediate);
  expect(taken).toBeLessThan(10);
  const drained = once(client, 'drain');
  server.resume();
  await drained;
});

test('ends the other end where one is destroyed, after what was written to it', async () => {
  const { client, server } = createMemoryConnection();
  const answered = text(client);
  server.write('half');
  server.destroy();
  expect(await answered).toBe('half');
  expect(client.destroyed).toBe(true);
});

test('refuses what is written to an end whose other end is gone', async () => {
  const { client, server } = createMemoryConnection();
  server.destroy();
  client.write('a');
  const [error] = await once(client, 'error');
  expect(error).toMatchObject({ code: 'EPIPE' });
});

test('does not wait for ever where a reader goes away in the middle', async () => {
  const { client, server } = createMemoryConnection();
  while (client.write(Buffer.alloc(16_384)));
  const failed = once(client, 'error');
  server.destroy();
  client.write('a');
  expect((await failed)[0]).toMatchObject({ code: 'EPIPE' });
});
