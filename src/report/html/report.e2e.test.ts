import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, launchChromium } from '../../../fixtures/chromium.ts';
import { createRunEvents, hostileText, writeReport } from '../../../fixtures/create-run-events.ts';
import type { RunFinding } from '../../events/events.ts';
import { type Visit, visitPage } from '../../../fixtures/visit-page.ts';
import { createHtmlReport } from './report.ts';

/** What a page loaded and said besides what it shows. */
/** What would break out of the page, or out of its layout, if it could. */
const hostileBody = [
  hostileText,
  '</pre></code></script></style><img src=x onerror="alert(1)"><svg onload=alert(1)>',
  `" onmouseover="alert(1)" autofocus onfocus='alert(1)`,
  '<meta http-equiv="refresh" content="0;url=/elsewhere"><base href="/elsewhere/"><form action="/elsewhere">',
  `"${'wide'.repeat(400)}"`,
  'a\u0300\u0301\u0302'.repeat(40),
].join('\n');

/** A run whose first finding came with hostile words wherever a service may put words. */
function hostileEvents(): ReturnType<typeof createRunEvents> {
  const last = createRunEvents().at(-1);
  const findings = last?.kind === 'run-finished' ? last.result.findings : [];
  return createRunEvents({
    findings: findings.map((found, index): RunFinding => {
      const { exchange, finding } = found;
      const body = Buffer.from(hostileBody);
      const headers = [
        ['X-Hostile', hostileText],
        ['X-Wide', 'w'.repeat(3_000)],
      ] as const;
      return index > 0
        ? found
        : {
            ...found,
            finding: { ...finding, received: hostileBody, operation: hostileText },
            exchange: {
              ...exchange,
              exchange: {
                ...exchange.exchange,
                answer: { kind: 'response', response: { status: 500, headers, body } },
              },
            },
          };
    }),
    notChecked: [{ what: hostileText, reason: hostileBody }],
  });
}

/** A run with eight faults: one finding, at eight operations with eight causes. */
function eightFindings(): ReturnType<typeof createRunEvents> {
  const last = createRunEvents().at(-1);
  const [, found] = last?.kind === 'run-finished' ? last.result.findings : [];
  if (found === undefined) throw new Error('the faked run found nothing');
  return createRunEvents({
    findings: Array.from({ length: 8 }, (_, index): RunFinding => ({
      ...found,
      id: `response-schema-00000000000${index}`,
      finding: { ...found.finding, operation: `createThing${index}`, cause: `cause ${index}` },
      ...(index % 2 === 0 ? {} : { earlier: [found.exchange, found.exchange] }),
    })),
  });
}

describe.skipIf(!hasChromium)(
  'the page in a browser (skipped where no chromium or google-chrome is in /usr/bin)',
  () => {
    const pages = new Map([
      ['/report', writeReport(createHtmlReport)],
      ['/hostile', writeReport(createHtmlReport, { events: hostileEvents() })],
      ['/eight', writeReport(createHtmlReport, { events: eightFindings() })],
    ]);
    let server: Server;
    let browser: Browser;
    let origin: string;

    beforeAll(async () => {
      server = createServer((request, response) => {
        response
          .setHeader('content-type', 'text/html; charset=utf-8')
          .end(pages.get(request.url ?? '') ?? '');
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      // `as`: a server that listens on a port has such an address; only pipes have others.
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      browser = await launchChromium();
    });

    afterAll(async () => {
      await browser.close();
      server.close();
    });

    async function visit(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
      return visitPage(await browser.newContext(options), origin + path);
    }

    /** Everything that can be folded is unfolded. */
    async function unfold(page: Page): Promise<void> {
      await page.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true;`);
    }

    test.each(['/report', '/hostile'])('loads nothing and complains of nothing (%s)', async (path) => {
      const { page, requests, complaints } = await visit(path);
      await unfold(page);
      await page.mouse.move(200, 600);
      expect(requests).toEqual([origin + path]);
      expect(complaints).toEqual([]);
      expect(page.url()).toBe(origin + path);
    });

    test('shows hostile words as the words that they are', async () => {
      const { page } = await visit('/hostile');
      const count = (selector: string): Promise<number> => page.locator(selector).count();
      const bodies = await page.locator('pre.body').allTextContents();
      expect(await count('script')).toBe(1);
      expect(await count('img, form, base, iframe, [onload], [onerror], [onfocus], [onmouseover]')).toBe(0);
      const found = { body: bodies.join('\n') };
      expect(found.body).toContain('<script>alert(1)</script>');
      expect(found.body).toContain('</pre></code></script></style><img src=x onerror="alert(1)">');
      expect(found.body).toContain(String.raw`\u{202e}`);
    });

    test.each(['/report', '/hostile'])('scrolls in no direction but down at 360 px (%s)', async (path) => {
      const { page } = await visit(path, { viewport: { width: 360, height: 740 } });
      await unfold(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    });

    test('shows one kind of finding at eight operations once, with a line for each other one', async () => {
      const { page } = await visit('/eight', { viewport: { width: 1_280, height: 900 } });
      const findings = page.locator('#findings');
      expect(await findings.locator('article.finding:visible').count()).toBe(1);
      expect(await findings.locator('summary:visible', { hasText: 'createThing' }).allTextContents()).toEqual(
        Array.from({ length: 7 }, (_, index) =>
          expect.stringMatching(new RegExp(`createThing${index + 1} .* 3×`, 'su')),
        ),
      );
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(2_500);
      await unfold(page);
      expect(await findings.locator('article.finding:visible').count()).toBe(8);
    });

    test('unfolds the finding that a link leads to', async () => {
      const { page } = await visit('/eight', { viewport: { width: 1_280, height: 900 } });
      const article = page.locator('article.finding', { hasText: 'createThing5' });
      expect(await article.isVisible()).toBe(false);
      await page.locator('.index a', { hasText: 'createThing5' }).click();
      await article.waitFor({ state: 'visible' });
      expect(await page.locator('article.finding:visible').count()).toBe(2);
    });

    test('is dark where the reader likes it dark', async () => {
      const read = async (colorScheme: 'light' | 'dark') => {
        const { page } = await visit('/report', { colorScheme });
        return page.evaluate<readonly string[]>(
          '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]',
        );
      };
      const [light, dark] = [await read('light'), await read('dark')];
      expect(light[0]).not.toBe(dark[0]);
      expect(light[1]).not.toBe(dark[1]);
    });

    test.each([
      ['light', 1_200],
      ['dark', 1_200],
      ['light', 360],
    ] as const)('bars nobody, contrast included (%s, %d px)', async (colorScheme, width) => {
      const { page } = await visit('/report', { colorScheme, viewport: { width, height: 800 } });
      await unfold(page);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<AxeResults>('axe.run(document)');
      expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
    });

    test('copies a command whole', async () => {
      const { page } = await visit('/report', { permissions: ['clipboard-read', 'clipboard-write'] });
      await unfold(page);
      const command = page.locator('.finding .command').first();
      await command.getByRole('button').click();
      await page.getByRole('status').getByText('Copied').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        await command.locator('code').textContent(),
      );
    });

    test('selects a command where it may not copy', async () => {
      const { page } = await visit('/report', { permissions: [] });
      await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
      await unfold(page);
      const command = page.locator('.finding .command').first();
      await command.getByRole('button').click();
      await page.getByRole('status').getByText('Selected').waitFor();
      expect(await page.evaluate('String(getSelection())')).toBe(await command.locator('code').textContent());
    });

    test('is whole without its script, its buttons left out', async () => {
      const { page } = await visit('/report', { javaScriptEnabled: false });
      expect(await page.getByRole('button', { name: /^Copy/u }).count()).toBe(0);
      expect(await page.locator('.finding:visible').count()).toBeGreaterThan(1);
    });

    test('shows only the level that is picked, by keyboard too', async () => {
      const { page } = await visit('/report', { javaScriptEnabled: false });
      const findings = page.locator('#findings');
      await page.locator('#show-violations').focus();
      await page.keyboard.press('Space');
      expect(await findings.locator('article.warning:visible').count()).toBe(0);
      expect(await findings.locator('article.violation:visible').count()).toBeGreaterThan(0);
      await page.keyboard.press('ArrowRight');
      expect(await findings.locator('article.warning:visible').count()).toBeGreaterThan(0);
      expect(await findings.locator('article.violation:visible').count()).toBe(0);
    });

    test('leaves its controls off the paper, and all of an exchange on it', async () => {
      const { page } = await visit('/hostile', { colorScheme: 'dark' });
      await page.emulateMedia({ media: 'print' });
      const found = await page.evaluate(`({
        nav: getComputedStyle(document.querySelector('nav')).display,
        background: getComputedStyle(document.body).backgroundColor,
        cut: [...document.querySelectorAll('pre')].filter((pre) => pre.scrollHeight > pre.clientHeight + 1).length,
      })`);
      expect(found).toEqual({ nav: 'none', background: 'rgb(255, 255, 255)', cut: 0 });
    });
  },
);
