import { once } from 'node:events';
import { request as httpRequest, type RequestListener } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { createProxyOpener } from '../../../fixtures/proxy/create-proxy-opener.ts';
import { createCloser } from '../../../fixtures/sockets/create-closer.ts';

const closer = createCloser();
afterEach(() => closer.closeAll());
const { beforeHttp } = createProxyOpener(closer);

const piece = Buffer.alloc(1024 * 1024, 'a');
const pieces = 200;

/** Writes all pieces at the speed of the other side; says how many are written. */
function writeAll(side: Writable): { readonly written: () => number } {
  let written = 0;
  const write = (): void => {
    while (written < pieces) {
      written += 1;
      if (!side.write(piece)) {
        side.once('drain', write);
        return;
      }
    }
    side.end();
  };
  write();
  return { written: () => written };
}

/** Waits until nothing more is written, however often the network has its turn. */
async function untilStuck({ written }: { readonly written: () => number }): Promise<number> {
  let before = -1;
  for (let turns = 0; turns < 500; turns += 1) {
    if (written() !== before) {
      before = written();
      turns = 0;
    }
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  return before;
}

/** How many bytes come until the end. */
async function count(side: Readable): Promise<number> {
  let length = 0;
  // `as`: without an encoding a stream gives bytes.
  for await (const chunk of side) length += (chunk as Buffer).length;
  return length;
}

test(
  'lets 200 MB through each way without keeping them, at the speed of the slower side',
  { timeout: 60_000 },
  async () => {
    let begin: (asked: Parameters<RequestListener>) => void = () => undefined;
    const coming = new Promise<Parameters<RequestListener>>((resolve) => {
      begin = resolve;
    });
    const { port } = await beforeHttp((...asked) => begin(asked));
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST' });
    const before = process.memoryUsage().rss;
    const sending = writeAll(request);
    const [received, response] = await coming;
    // Nobody reads yet: so whoever writes must be kept from writing all of it.
    expect(await untilStuck(sending)).toBeLessThan(pieces / 2);
    expect(await count(received)).toBe(pieces * piece.length);
    const answering = once(request, 'response');
    const answered = writeAll(response);
    const [answer] = await answering;
    expect(await untilStuck(answered)).toBeLessThan(pieces / 2);
    expect(await count(answer)).toBe(pieces * piece.length);
    expect(process.memoryUsage().rss - before).toBeLessThan(120 * 1024 * 1024);
  },
);
