import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import type { JsonObject } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';
import type { Listener } from '../mock.ts';
import { writeEvents } from './delivery.ts';

async function serve(media: JsonObject): Promise<Pick<Listener, 'url' | 'close'>> {
  const responses = { 200: { description: 'OK', content: { 'text/event-stream': media } } };
  const mock = await createMock(contractOf({ paths: { '/moves': { get: { responses } } } }));
  const server = await mock.listen({ port: 0 });
  onTestFinished(server.close);
  return { url: `${server.url.replace(/\/$/u, '')}/moves`, close: server.close };
}

const data = { type: 'string', contentMediaType: 'application/json', contentSchema: { type: 'object' } };
const moves = {
  itemSchema: { type: 'object', required: ['data'], properties: { data, event: { type: 'string' } } },
  example: [
    { event: 'moved', data: { city: 'Rome' } },
    { event: 'lost', data: {} },
  ],
};
const first = 'id: 1\nevent: moved\ndata: {"city":"Rome"}\n\n';
const second = 'id: 2\nevent: lost\ndata: {}\n\n';

async function* readParts(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) yield decoder.decode(chunk);
}

test('sends one event after another', async () => {
  const response = await fetch((await serve(moves)).url);
  expect(response.headers.get('content-length')).toBeNull();
  const parts: string[] = [];
  for await (const part of readParts(response)) parts.push(part);
  expect(parts).toEqual([first, second]);
});

test('resumes after the last event of the client, and ends a client that has all', async () => {
  const { url } = await serve(moves);
  const resume = (id: string): Promise<Response> => fetch(url, { headers: { 'last-event-id': id } });
  expect(await (await resume('1')).text()).toBe(second);
  expect((await resume('2')).status).toBe(204);
  expect(await (await resume('unknown')).text()).toBe(first + second);
});

test('keeps a stream open if the document says so, until the server closes', async () => {
  const { url, close } = await serve({ ...moves, 'x-cloche-stream': { open: true, pauseMs: 10 } });
  let received = '';
  for await (const part of readParts(await fetch(url))) {
    received += part;
    if (received.endsWith(second)) void close();
  }
  expect(received).toBe(first + second);
});

test('gives no ids that the document forbids', async () => {
  const itemSchema = { ...moves.itemSchema, additionalProperties: false };
  const response = await fetch((await serve({ ...moves, itemSchema })).url);
  expect(await response.text()).toBe((first + second).replaceAll(/^id: \d\n/gmu, ''));
});

test('sends a comment every 15 seconds while a stream is open and has no more events', async () => {
  const waits: { readonly ms: number; readonly goOn: () => void }[] = [];
  const delays = {
    wait: (ms: number, goOn: () => void) => {
      waits.push({ ms, goOn });
      return () => undefined;
    },
    endAll: () => undefined,
  };
  let isClosing = false;
  const server = createServer((_, response) => {
    const events = { texts: [first, second], pauseMs: 7, open: true };
    writeEvents(response, { status: 200, headers: [], events }, { delays, isClosing: () => isClosing });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // `as`: a server that listens on a port has an address object.
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const parts: string[] = [];
  for await (const part of readParts(response)) {
    parts.push(part);
    isClosing = parts.length === 4;
    waits.at(-1)?.goOn();
  }
  expect(parts).toEqual([first, second, ':\n\n', ':\n\n']);
  expect(waits.map(({ ms }) => ms)).toEqual([7, 15_000, 15_000, 15_000]);
});
