import { createServer } from 'node:http';
import type { BrowserContext } from 'playwright-core';
import { expect, test } from 'vitest';
import { hasChromium, launchChromium } from '../fixtures/chromium.ts';
import { contractOf } from '../fixtures/contract-of.ts';
import { createMock } from './mock/create-mock.ts';
import type { Mock } from './mock/mock.ts';
import { mockFixtures } from './playwright.ts';

const order = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const content = { 'application/json': { schema: order } };
const contract = contractOf({
  paths: {
    '/orders': {
      post: {
        requestBody: { required: true, content },
        responses: { 201: { description: 'Created', content } },
      },
    },
  },
});

/** Creates an order from the page, and returns the status and the body, or the name of the error. */
async function order7(context: BrowserContext, pageUrl: string): Promise<string> {
  const page = await context.newPage();
  await page.goto(pageUrl);
  // The page has no types here: the text runs in the browser.
  const script = `fetch('https://api.example.com/v1/orders', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"id":7}',
  }).then(async (response) => response.status + ' ' + (await response.text()), (error) => error.name)`;
  return String(await page.evaluate(script));
}

test.skipIf(!hasChromium)(
  'answers the requests of pages, and is reset after each test (with Chromium)',
  async () => {
    const pages = createServer((_, response) => response.end('<!doctype html><title>Orders</title>'));
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    // `as`: a listening server has an address object.
    const pageUrl = `http://127.0.0.1:${(pages.address() as { port: number }).port}/orders`;
    const browser = await launchChromium();
    const { workerMock, mock } = mockFixtures(() => createMock(contract), {
      baseUrl: 'https://api.example.com/v1',
    });
    /** Runs a test as Playwright does: with a context of its own and the mock of the worker. */
    const runTest = async (worker: Mock, body: (mock: Mock, context: BrowserContext) => Promise<void>) => {
      const context = await browser.newContext();
      await mock[0]({ workerMock: worker, context }, (made) => body(made, context));
      await context.close();
    };
    let closed: Mock | undefined;
    await workerMock[0]({}, async (worker) => {
      closed = worker;
      await runTest(worker, async ({ state, faults }, context) => {
        expect(await order7(context, pageUrl)).toBe('201 {"id":7}');
        expect((await state.list('/orders')).total).toBe(1);
        faults.put({ connection: 'drop', times: 1 });
        expect(await order7(context, pageUrl)).toBe('TypeError');
        faults.put({ answer: { status: 503 } });
        expect(await order7(context, pageUrl)).toMatch(/^503 /u);
      });
      await runTest(worker, async ({ state, requests }, context) => {
        expect((await state.list('/orders')).total).toBe(0);
        expect(await order7(context, pageUrl)).toBe('201 {"id":7}');
        expect(requests.list({ operation: 'POST /orders' })).toHaveLength(1);
      });
    });
    await expect(closed?.fetch('/orders')).rejects.toMatchObject({ code: 'MOCK_CLOSED' });
    await browser.close();
    pages.close();
  },
);
