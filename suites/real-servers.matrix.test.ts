import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../fixtures/build-when-stale.ts';
import { parseBody, type RealServer, realServers } from '../fixtures/real-servers.ts';
import { runCloche } from '../fixtures/run-cloche.ts';
import { isJsonObject } from '../src/json/value.ts';

const folder = await mkdtemp(join(tmpdir(), 'cloche-real-servers-'));
beforeAll(buildWhenStale, 120_000);
afterAll(() => rm(folder, { recursive: true }));

/** Starts the service of a case. */
async function start({ answer }: ReturnType<RealServer['create']>) {
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isHead = request.method === 'HEAD';
    const { status, content, headers } = answer({
      method: isHead ? 'GET' : (request.method ?? ''),
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: parseBody(await text(request)),
    });
    const type = content === undefined ? {} : { 'Content-Type': 'application/json' };
    response.writeHead(status, { ...type, ...headers });
    response.end(isHead || content === undefined ? undefined : JSON.stringify(content));
  };
  const server = createServer((request, response) => void reply(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening server has an address with a port.
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

test.each(realServers.map((one) => [one.title, one] as const))('%s', async (_title, one) => {
  const created = one.create();
  const { url, stop } = await start(created);
  const [document, report] = [join(folder, 'document.json'), join(folder, 'report.json')];
  await writeFile(document, JSON.stringify(one.document));
  await writeFile(report, '{"findings":[]}');
  const words = ['test', url, '-d', document, '--seed', '7', '--runs', '20', '--report', `json=${report}`];
  const { code, stdout, stderr } = await runCloche([...words, ...(one.options ?? [])], { folder });
  stop();
  const { findings = [] } = parseBody(await readFile(report, 'utf8')) ?? {};
  const violations = (Array.isArray(findings) ? findings : [])
    .filter((each) => isJsonObject(each))
    .filter(({ level }) => level === 'violation')
    .map(({ check, operation }) => JSON.stringify([check, operation]));
  expect(violations).toEqual(one.violations.map((each) => JSON.stringify(each.split(' '))));
  expect(code).toBe(one.code);
  expect((one.prints ?? []).filter((printed) => !(stdout + stderr).includes(printed))).toEqual([]);
  expect([undefined, created.countItems?.()]).toContain(one.left);
});
