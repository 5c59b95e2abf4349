import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { createApp } from './server.js';

const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));
const skip = executablePath === undefined ? 'there is no chromium or google-chrome in /usr/bin' : false;
const folder = fileURLToPath(new URL('.', import.meta.url));
const cloche = createRequire(import.meta.url)
  .resolve('cloche/package.json')
  .replace('package.json', 'dist/src/cli/main.js');
/** A picture of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function listen(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}

/** Starts the mock as the README does. */
async function startMock(words) {
  const child = spawn(
    process.execPath,
    [cloche, 'mock', 'shop.yaml', '--port', '0', '--handlers', 'handlers.ts', ...words],
    {
      cwd: folder,
    },
  );
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const [, url] = /mocked on (\S+)\n/u.exec(output) ?? [];
      if (url !== undefined) resolve({ url, stop: () => child.kill() });
    });
    child.once('exit', () => reject(new Error('the mock did not start')));
  });
}

/** Runs a command to its end. */
async function runCloche(words) {
  const [code] = await once(spawn(process.execPath, [cloche, ...words], { cwd: folder }), 'exit');
  return { code };
}

/** A small real service that has other products than the mock. */
const service = createServer((request, response) => {
  const products = [{ id: 8, name: 'Kettle', price: 40 }];
  const found =
    request.url === '/products' ? products : products.find(({ id }) => request.url === `/products/${id}`);
  response
    .writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
    .end(JSON.stringify(found ?? {}));
});

function drive(title, { words, product, price }) {
  describe(title, { skip }, () => {
    let app;
    let browser;
    let mock;
    let page;

    before(async () => {
      mock = await startMock(await words());
      app = createApp();
      // Chromium refuses to run as root inside its sandbox, as in a container.
      const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
      browser = await chromium.launch({ executablePath, args });
      page = await browser.newPage();
      page.setDefaultTimeout(10_000);
      await page.goto(`${await listen(app)}/?service=${encodeURIComponent(mock.url)}`);
    });
    after(async () => {
      await browser.close();
      app.closeAllConnections();
      app.close();
      mock.stop();
      service.close();
    });

    const row = () => page.getByRole('listitem').filter({ hasText: product });

    test('needs a login for the cart', async () => {
      await row().getByRole('button', { name: 'Add' }).click();
      await page.getByRole('alert').filter({ hasText: 'Credentials are missing' }).waitFor();
    });

    test('logs in on the page of the mock', async () => {
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('You are logged in.').waitFor();
    });

    test('shows the details of a product', async () => {
      await row().getByRole('button', { name: 'Details' }).click();
      await page.getByRole('heading', { name: `${product}, ${price.toFixed(2)}` }).waitFor();
    });

    test('uploads a photo and shows it', async () => {
      // Until then, the mock shows a sample.
      const shown = page.waitForResponse(
        async (response) => response.url().includes('/photo?') && picture.equals(await response.body()),
      );
      await page.getByLabel('Photo').setInputFiles({ name: 'p.png', mimeType: 'image/png', buffer: picture });
      assert.equal((await shown).headers()['content-type'], 'image/png');
    });

    test('shows the total of the cart, which a handler computes', async () => {
      for (const count of [1, 2]) {
        await row().getByRole('button', { name: 'Add' }).click();
        await page
          .locator('#total')
          .filter({ hasText: (count * price).toFixed(2) })
          .waitFor();
      }
    });

    test('orders, and follows the order by its events', async () => {
      await page.getByLabel('Address').fill('1 Garden Lane');
      await page.getByRole('button', { name: 'Order' }).click();
      for (const status of ['paid', 'packed', 'shipped']) {
        await page.getByRole('list', { name: 'Order' }).getByText(status).waitFor();
      }
    });

    test('shows the parcel that the webhook of the shop names', async () => {
      const url = new URL('/hooks/shipped', page.url());
      const { code } = await runCloche(['webhook', 'shipped', '--mock', mock.url, '--to', url.href]);
      assert.equal(code, 0);
      await page.getByRole('list', { name: 'Order' }).getByText('parcel P-100').waitFor();
    });
  });
}

drive('the shop, whose service is the mock alone', { words: () => [], product: 'Teapot', price: 24.5 });

drive('the shop, whose products come from a real service', {
  async words() {
    const url = await listen(service);
    return ['--fallback', url, '--exclude-operation', 'listProducts', '--exclude-operation', 'getProduct'];
  },
  product: 'Kettle',
  price: 40,
});
