import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { hasChromium, launchChromium } from '../../../fixtures/chromium.ts';
import { type Ended, runCloche } from '../../../fixtures/run-cloche.ts';
import { recordPage } from '../../../fixtures/traffic/record-page.ts';
import { createMock } from '../../mock/create-mock.ts';

const minute = 60_000;
const html = readFileSync(new URL('../../../fixtures/browser/page.html', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cloche-browser-'));

describe.skipIf(!hasChromium)(
  'what a browser records (skipped where no chromium or google-chrome is in /usr/bin)',
  () => {
    let pages: Server;
    let browser: Browser;

    beforeAll(async () => {
      await buildWhenStale();
      pages = createServer((_, response) => {
        response.setHeader('content-type', 'text/html').end(html);
      });
      await once(pages.listen(0, '127.0.0.1'), 'listening');
      browser = await launchChromium();
    }, 2 * minute);

    afterAll(async () => {
      await browser.close();
      pages.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Lets the page talk to a service, and judges what the browser recorded of it. */
    async function judgePage(service: string, ...words: readonly string[]): Promise<Ended> {
      // `as`: a server that listens on a port has such an address; only pipes have others.
      const elsewhere = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
      await recordPage({ browser, service, elsewhere, har: join(folder, 'page.har') });
      return runCloche(['check', 'page.har', ...words], { folder });
    }

    test('of the mock breaks nothing, as a run on it finds', { timeout: minute }, async () => {
      const mock = await createMock(undefined, { tokens: ['t'] });
      const { url } = await mock.listen();
      const { code, stdout } = await judgePage(url, '--token', 't', '--answer', 'duplicate-key=refuse');
      await mock.close();
      expect(stdout).toContain('duplicate-key          refuse (400 application/json) 1×');
      expect(stdout).toMatch(
        /\n\d+ exchanges judged, 1 not\.\n\nPASS  .*: nothing found in \d+ exchanges\n$/u,
      );
      expect(code).toBe(0);
    });

    test('of a service with a fault shows the fault, by its check', { timeout: minute }, async () => {
      const service = createServer((request, response) => {
        response.setHeader('access-control-allow-origin', '*');
        response.setHeader('access-control-allow-headers', '*, authorization');
        request.resume().on('end', () => {
          response.statusCode = request.method === 'OPTIONS' ? 204 : 200;
          const answer = '{"name":7}';
          response.setHeader('content-type', 'application/json');
          response.end(request.method === 'OPTIONS' ? undefined : answer);
        });
      });
      await once(service.listen(0, '127.0.0.1'), 'listening');
      // `as`: as above.
      const { code, stdout } = await judgePage(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
      service.closeAllConnections();
      service.close();
      expect(stdout).toContain('[response-schema-');
      expect(stdout).toContain('[invalid-body-accepted-');
      expect(stdout).toMatch(/\nFAIL  .*: 2 violations in/u);
      expect(code).toBe(1);
    });
  },
);
