import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, afterEach, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createMock } from 'cloche';
import { chromium } from 'playwright-core';

const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));
const skip = executablePath === undefined ? 'there is no chromium or google-chrome in /usr/bin' : false;

describe('the to-do list, whose service is the mock alone', { skip }, () => {
  let mock;
  let browser;
  let page;
  const pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(readFileSync(new URL('index.html', import.meta.url)));
  });

  before(async () => {
    mock = await createMock(fileURLToPath(new URL('todos.yaml', import.meta.url)));
    const { url } = await mock.listen();
    await once(pages.listen(0, '127.0.0.1'), 'listening');
    // Chromium refuses to run as root inside its sandbox, as in a container.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath, args });
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${pages.address().port}/?service=${encodeURIComponent(url)}`);
  });
  afterEach(async () => {
    await mock.reset();
    await page.reload();
  });
  after(async () => {
    await browser.close();
    pages.close();
    await mock.close();
  });

  async function add(title) {
    await page.getByLabel('What is to be done').fill(title);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('What is to be done').filter({ hasText: '' }).waitFor();
  }

  /** Waits until the list shows this, as it was after the last request. */
  async function shows(titles, status) {
    await page.getByRole('status').filter({ hasText: status }).waitFor();
    const read = () => page.getByLabel('Title').evaluateAll((all) => all.map(({ value }) => value));
    for (let tries = 0; tries < 100 && String(await read()) !== String(titles); tries += 1) {
      await page.waitForTimeout(50);
    }
    assert.deepEqual(await read(), titles);
  }

  test('keeps what is added, also when the page is loaded again', async () => {
    await shows([], 'Nothing here');
    await add('Water the basil');
    await shows(['Water the basil'], '1 to 1 of 1');
    await page.reload();
    await shows(['Water the basil'], '1 to 1 of 1');
  });

  test('changes, ticks off and deletes', async () => {
    await add('Water the basil');
    await shows(['Water the basil'], '1 to 1 of 1');
    await page.getByLabel('Title').fill('Water the mint');
    await page.getByLabel('Title').press('Enter');
    await page.getByLabel('Water the mint is done').check();
    await page.getByLabel('Show').selectOption('Done');
    await shows(['Water the mint'], '1 to 1 of 1');
    await page.getByLabel('Show').selectOption('Open');
    await shows([], 'Nothing here');
    await page.getByLabel('Show').selectOption('All');
    await page.getByRole('button', { name: 'Delete' }).click();
    await shows([], 'Nothing here');
    await page.reload();
    await shows([], 'Nothing here');
  });

  test('searches, and turns pages', async () => {
    for (let number = 1; number <= 8; number += 1) {
      await mock.state.put('/todos', { title: `Errand ${number}` });
    }
    await page.reload();
    const titles = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `Errand ${number}`);
    await shows(titles.slice(0, 6), '1 to 6 of 8');
    await page.getByRole('button', { name: 'Next' }).click();
    await shows(titles.slice(6), '7 to 8 of 8');
    await page.getByLabel('Search').fill('errand 7');
    await shows(['Errand 7'], '1 to 1 of 1');
  });

  test('shows what the service has against a change', async () => {
    await add('Water the basil');
    await shows(['Water the basil'], '1 to 1 of 1');
    await mock.reset();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alert').filter({ hasText: 'There is no' }).waitFor();
  });
});
