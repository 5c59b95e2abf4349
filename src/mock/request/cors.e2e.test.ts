import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasChromium, launchChromium } from '../../../fixtures/chromium.ts';
import { createMock } from '../create-mock.ts';
import type { RequestLogEntry } from '../log/log-line.ts';
import type { Mock } from '../mock.ts';

const html = readFileSync(fileURLToPath(new URL('../../../fixtures/browser/page.html', import.meta.url)));
/** What the page can read. */
interface Reading {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

describe.skipIf(!hasChromium)(
  'a page in a browser (skipped where no chromium or google-chrome is in /usr/bin)',
  () => {
    const log: RequestLogEntry[] = [];
    let mock: Mock;
    let service: string;
    let pages: Server;
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      mock = await createMock(undefined, { tokens: ['t'], log: (entry) => log.push(entry) });
      service = (await mock.listen()).url;
      pages = createServer((_, response) => {
        response.setHeader('content-type', 'text/html').end(html);
      });
      await once(pages.listen(0, '127.0.0.1'), 'listening');
      browser = await launchChromium();
    });

    afterAll(async () => {
      await browser.close();
      pages.close();
      await mock.close();
    });

    beforeEach(async () => {
      await mock.reset();
      // `as`: a server that listens on a port has such an address; only pipes have others.
      const { port } = pages.address() as AddressInfo;
      // A context of its own has asked no preflight yet.
      const context = await browser.newContext();
      page = await context.newPage();
      await page.goto(`http://127.0.0.1:${port}/?service=${encodeURIComponent(service)}`);
      log.length = 0;
      return () => context.close();
    });

    async function send(token: string, body: string): Promise<Reading> {
      await page.getByLabel('Token').fill(token);
      await page.getByLabel('Body').fill(body);
      await page.getByRole('button').click();
      const shown = await page.locator('output:not(:empty)').textContent();
      // `as`: the page shows this, or what kept it from reading, which no expectation takes for an answer.
      return JSON.parse(shown ?? '') as Reading;
    }

    test('creates a plant on another port, after a preflight', async () => {
      const { status, text } = await send('t', '{"id":1,"name":"Sweet Basil","tag":"herb"}');
      expect([status, JSON.parse(text)]).toEqual([200, { name: 'Sweet Basil', tag: 'herb' }]);
      expect(log.map((entry) => [entry.method, entry.target, entry.status])).toEqual([
        ['OPTIONS', '/plants', 204],
        ['POST', '/plants', 200],
      ]);
    });

    test('reads why a body was refused', async () => {
      const { status, text, headers } = await send('t', '{"id":1}');
      expect(status).toBe(400);
      expect(JSON.parse(text)).toEqual({ error: 400, message: expect.stringContaining('name') });
      expect(headers['content-type']).toBe('application/json');
      expect(headers).not.toHaveProperty('cloche-undeclared');
    });

    test.each([
      ['no token', '', 'Bearer', 'missing-credentials'],
      ['another token', 'other', 'Bearer error="invalid_token"', 'invalid-credentials'],
    ])('reads why %s was refused', async (_, token, challenge, question) => {
      const { status, text, headers } = await send(token, '{"id":1,"name":"Basil"}');
      expect(status).toBe(401);
      expect(JSON.parse(text)).toEqual({ error: 401, message: expect.any(String) });
      expect(headers['www-authenticate']).toBe(challenge);
      expect(headers['cloche-undeclared']).toBe(question);
    });

    test('keeps the digits of an id past 2^53', async () => {
      // One double, two plants: to JSON.parse, both are 9007199254740992.
      const first = await send('t', '{"id":9007199254740993,"name":"Basil"}');
      const twin = await send('t', '{"id":9007199254740992,"name":"Basil"}');
      const again = await send('t', '{"id":9007199254740993,"name":"Basil"}');
      expect([first.status, twin.status, again.status]).toEqual([200, 200, 400]);
      expect(again.text).toContain('9007199254740993');
    });

    /** What a page can read of an answer to a request with credentials; undefined where the browser lets it read nothing. */
    function fetchWithCredentials(fields: Readonly<Record<string, string>>): Promise<Reading | undefined> {
      const body = '{"id":7,"name":"Basil"}';
      return page.evaluate(
        async ([url, headers, content]) => {
          try {
            const init = { method: 'POST', credentials: 'include', headers, body: content } as const;
            const response = await fetch(url, init);
            const text = await response.text();
            return { status: response.status, text, headers: Object.fromEntries(response.headers) };
          } catch {
            return undefined;
          }
        },
        [
          `${service}/plants`,
          { Authorization: 'Bearer t', 'Content-Type': 'application/json', ...fields },
          body,
        ] as const,
      );
    }

    test('sends credentials, and reads accepted, refused and forced answers', async () => {
      expect(await fetchWithCredentials({})).toMatchObject({ status: 200, text: '{"name":"Basil"}' });
      expect(await fetchWithCredentials({ Authorization: 'none' })).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
      });
      expect(await fetchWithCredentials({ Prefer: 'code=400' })).toMatchObject({
        status: 400,
        headers: { 'preference-applied': 'code=400' },
      });
      mock.faults.put({
        id: 'busy',
        answer: { status: 503, retryAfter: 3, headers: { 'X-Reason': 'full' } },
      });
      expect(await fetchWithCredentials({})).toMatchObject({
        status: 503,
        headers: { 'retry-after': '3', 'x-reason': 'full', 'cloche-undeclared': 'forced' },
      });
      mock.faults.clear();
    });

    test('sees a connection that is dropped or cut off as one that failed', async () => {
      expect(await fetchWithCredentials({ 'Cloche-Fault': 'truncate' })).toBeUndefined();
      expect(await fetchWithCredentials({ 'Cloche-Fault': 'drop' })).toBeUndefined();
    });

    test('sees one request fail where a rule drops the next one, though the browser sends it again', async () => {
      expect(await fetchWithCredentials({})).toMatchObject({ status: 200 });
      mock.faults.put({ connection: 'drop', method: 'POST', times: 1 });
      expect(await fetchWithCredentials({})).toBeUndefined();
      expect(await fetchWithCredentials({})).toMatchObject({ status: 400 });
      mock.faults.clear();
    });

    test('reads nothing where its origin is not let in', async () => {
      const narrow = await createMock(undefined, {
        tokens: ['t'],
        cors: { origins: ['http://localhost:1'] },
      });
      const open = service;
      service = (await narrow.listen()).url;
      expect(await fetchWithCredentials({})).toBeUndefined();
      expect(narrow.requests.list().map(({ method }) => method)).toEqual(['OPTIONS']);
      service = open;
      await narrow.close();
    });
  },
);
