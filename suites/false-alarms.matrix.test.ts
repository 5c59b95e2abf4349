import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { afterAll, describe, expect, test } from 'vitest';
import { drawCases } from '../fixtures/draw-cases.ts';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { judgeService } from '../fixtures/judge-service.ts';
import { loadCatalogue } from '../fixtures/services/catalogue.js';
import type { ServiceOptions } from '../fixtures/services/service.ts';

const { correct, conforming } = await loadCatalogue();

/** Cases of each property; `npm run test:seeds` has the 100 of a default run, three times. */
const runs = 40;

const clean: string[] = [];

function overTls(options: ServiceOptions): Server {
  const server = correct.create(options);
  const cert = readFileSync(new URL('../fixtures/tls/localhost.cert.pem', import.meta.url));
  const key = readFileSync(new URL('../fixtures/tls/localhost.key.pem', import.meta.url));
  return createTlsServer({ cert, key }, (request, response) => {
    server.emit('request', request, response);
  });
}

const tried = drawCases([correct, ...conforming], 6);

// What takes its time waits more than it works, so several are judged at once.
describe.concurrent('side by side', () => {
  test.each(tried)('no violation on a service that $title ($id)', async (service) => {
    expect(describeFindings(await judgeService({ service, runs }), ['violation'])).toEqual([]);
    clean.push(service.id);
  });

  test('no violation on the correct service over TLS', async () => {
    const result = await judgeService({ service: { ...correct, create: overTls }, scheme: 'https' });
    expect(describeFindings(result, ['violation', 'warning'])).toEqual([]);
  });
});

afterAll(() => {
  process.stdout.write(`\n${clean.length} of ${tried.length} conforming services without a violation\n`);
});
