import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createProxyOpener } from '../../../fixtures/proxy/create-proxy-opener.ts';
import { createCloser } from '../../../fixtures/sockets/create-closer.ts';

const closer = createCloser();
afterEach(() => closer.closeAll());
const { beforeHttp } = createProxyOpener(closer);

test(
  'lets 200 MB through each way without keeping them, at the speed of the slower side',
  { timeout: 60_000 },
  async () => {
    const piece = Buffer.alloc(1024 * 1024, 'a');
    const pieces = 200;
    let written = 0;
    let received = 0;
    const { port } = await beforeHttp((request, response) => {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
      request.on('end', () => {
        const write = (): void => {
          while (written < pieces) {
            written += 1;
            if (!response.write(piece)) {
              response.once('drain', write);
              return;
            }
          }
          response.end();
        };
        write();
      });
    });
    const before = process.memoryUsage().rss;
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST' });
    for (let count = 0; count < pieces; count += 1) {
      if (!request.write(piece)) {
        await once(request, 'drain');
      }
    }
    request.end();
    const [answer] = await once(request, 'response');
    expect(received).toBe(pieces * piece.length);
    // Nobody reads the answer yet: so the service must be kept from writing all of it.
    await once(answer, 'readable');
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBeLessThan(pieces / 2);
    let got = 0;
    for await (const chunk of answer) {
      got += (chunk as Buffer).length;
    }
    expect(got).toBe(pieces * piece.length);
    expect(process.memoryUsage().rss - before).toBeLessThan(120 * 1024 * 1024);
  },
);
