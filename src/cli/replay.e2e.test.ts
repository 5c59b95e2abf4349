import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { clocheMain, type Ended, runCloche } from '../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-replay-'));
const env = { API_TOKEN: 's3cret-token-of-staging' };

/** Fails for the orders of one customer, and only with the token. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const isAllowed = request.headers.authorization === `Bearer ${env.API_TOKEN}`;
  const accepted = body.includes('"customer-17"') ? 500 : 400;
  response.writeHead(isAllowed ? accepted : 401, { 'WWW-Authenticate': 'Bearer' }).end();
}

const server: Server = createServer((request, response) => void answer(request, response));

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const schema = { type: 'object', required: ['customer'], properties: { customer: { type: 'string' } } };
  const described = { description: 'none' };
  const post = {
    operationId: 'createOrder',
    security: [{ bearer: [] }],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 204: described, 400: described, 401: described },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    paths: { '/orders': { post } },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
  const configuration = {
    document: 'orders.json',
    services: {
      'other orders': { url: 'http://127.0.0.1:1' },
      orders: {
        url: `http://127.0.0.1:${port}`,
        credentials: { bearer: '${API_TOKEN}' },
        values: { customer: ['customer-17'] },
      },
    },
    test: { runs: 2, suites: ['valid-bodies'] },
  };
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'orders.json'), JSON.stringify(document));
  writeFileSync(join(folder, 'my config.json'), JSON.stringify(configuration));
  await buildWhenStale();
}, 2 * minute);

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

function runBash(line: string): Promise<Ended> {
  const command = line.replace('npx cloche', `'${process.execPath}' '${clocheMain}'`);
  return new Promise((resolve) => {
    const environment = { PATH: process.env['PATH'], ...env };
    execFile('bash', ['-c', command], { cwd: folder, env: environment }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

test(
  'a replay line names the configuration and its service, which have the credentials and known values',
  { timeout: 2 * minute },
  async () => {
    const words = ['test', '--config', 'my config.json', '--service', 'orders'];
    const { code, stdout } = await runCloche(words, { folder, env });
    expect(code).toBe(1);
    const [line = ''] = /npx cloche test .* --path .*/u.exec(stdout) ?? [];
    expect(line).toContain("--config 'my config.json' --service orders");
    const replayed = await runBash(line);
    expect(replayed.stdout).toMatch(/^VIOLATION .*\[server-error-/mu);
    expect(replayed.code).toBe(1);
  },
);
