import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, afterEach, before, describe, test } from 'node:test';
import { createMock } from 'cloche';
import { chromium } from 'playwright-core';

const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));
const skip = executablePath === undefined ? 'there is no chromium or google-chrome in /usr/bin' : false;

describe('the page', { skip }, () => {
  let mock;
  let browser;
  let page;
  const pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(readFileSync(new URL('page.html', import.meta.url)));
  });

  before(async () => {
    mock = await createMock(undefined, { tokens: ['secret'] });
    const { url } = await mock.listen();
    await once(pages.listen(0, '127.0.0.1'), 'listening');
    // Chromium refuses to run as root inside its sandbox, as in a container.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath, args });
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${pages.address().port}/?store=${encodeURIComponent(url)}`);
  });
  afterEach(() => mock.reset());
  after(async () => {
    await browser.close();
    pages.close();
    await mock.close();
  });

  async function add(id, name) {
    await page.getByLabel('Number').fill(id);
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Add' }).click();
  }

  async function read() {
    const status = page.getByRole('status').filter({ hasNotText: 'One moment' });
    return status.textContent();
  }

  test('adds a plant', async () => {
    await add('9007199254740993', 'Basil');
    assert.equal(await read(), 'Basil was added.');
    const [{ key }] = (await mock.state.list('/plants')).resources;
    assert.equal(key, '9007199254740993');
  });

  test('says what the store has against a plant', async () => {
    await mock.state.put('/plants', { id: 1, name: 'Fern' });
    await add('1', 'Basil');
    assert.match(await read(), /^Not added: /u);
  });

  test('says that the store is busy', async () => {
    mock.faults.put({ answer: { status: 503, body: { error: 503, message: 'We are watering.' } } });
    await add('1', 'Basil');
    assert.equal(await read(), 'Not added: We are watering.');
  });

  test('says that the store cannot be reached, and adds the plant when it can', async () => {
    mock.faults.put({ operation: 'createPlant', connection: 'drop', times: 1 });
    await add('1', 'Basil');
    assert.equal(await read(), 'The store cannot be reached. Try again.');
    await add('1', 'Basil');
    assert.equal(await read(), 'Basil was added.');
  });
});
