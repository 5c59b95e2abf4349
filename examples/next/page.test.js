import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { after, before, beforeEach, test } from 'node:test';
import { createMock } from 'cloche';
import { chromium } from 'playwright-core';

const document = fileURLToPath(new URL('../app/todos.yaml', import.meta.url));
const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));

let mock;
let next;
let browser;
let page;
let app;

before(async () => {
  mock = await createMock(document);
  const { url } = await mock.listen();
  next = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'dev', '--port', '0'], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { ...process.env, NEXT_PUBLIC_API: url, NEXT_TELEMETRY_DISABLED: '1' },
  });
  next.stderr.pipe(process.stderr);
  for await (const text of next.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    [app] = /http:\/\/localhost:\d+/u.exec(text) ?? [];
    if (app !== undefined) break;
  }
  next.stdout.resume();
  // Chromium refuses to run as root inside its sandbox, as in a container.
  browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  page = await browser.newPage();
});
beforeEach(() => mock.reset());
after(async () => {
  await browser.close();
  next.kill();
  await once(next, 'exit');
  await mock.close();
});

test('the server renders what the mock contains', async () => {
  await mock.state.put('/todos', {
    id: '7d0c1f0e-3b1f-4a55-9a54-0d6f6a1e2c11',
    title: 'Water the basil',
    done: false,
  });
  await page.goto(app);
  await page.getByRole('listitem').filter({ hasText: 'Water the basil' }).waitFor();
});

test('the browser adds to the same mock, and the server shows it', async () => {
  await page.goto(app);
  await page.getByLabel('Title').fill('Repot the fern');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Repot the fern' }).waitFor();
  const { resources } = await mock.state.list('/todos');
  assert.deepEqual(
    resources.map(({ value }) => value.title),
    ['Repot the fern'],
  );
});
