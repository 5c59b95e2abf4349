// Takes the pictures that README.md shows: of the inspector docs/inspector-light.png, -dark.png and -phone.png, and of the page of
// examples/app docs/app-light.png and -dark.png. It wants a build (`npm run build`) and a Chromium in /usr/bin.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = new URL('../', import.meta.url);
const command = fileURLToPath(new URL('dist/src/cli/main.js', root));
const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));
if (executablePath === undefined) {
  throw new Error('Failed to find "chromium": none is in /usr/bin. Install Debian\'s package of that name.');
}

const bodies = [
  '{"id":1,"name":"Sweet Basil","tag":"herb"}',
  '{"id":9007199254740993,"name":"Peppermint","tag":"herb"}',
  '{"id":3,"name":"Rosemary"}',
  '{"id":4 "name":"Thyme"}',
  '{"id":1,"name":"Lemon Balm"}',
  '{"id":"five","name":42,"tag":"herb"}',
];

const todos = [
  { title: 'Water the basil', due: '2026-06-02', done: true },
  { title: 'Repot the rosemary', due: '2026-06-05' },
  { title: 'Order seeds for autumn', due: '2026-06-12' },
  { title: 'Call the greenhouse about the broken pane' },
  { title: 'Clean the labels', done: true },
  { title: 'Count the peppermint', due: '2026-06-30' },
  { title: 'Sharpen the secateurs' },
];

await withMock(['--token', 'secret'], async (url) => {
  await fill(url);
  await shoot(url);
});
await withMock(['examples/app/todos.yaml'], async (url) => {
  for (const todo of todos) await send('POST', `${url}/todos`, { body: JSON.stringify(todo) });
  await shootApp(url);
});

async function withMock(words, work) {
  const { child, url } = await startMock(words);
  try {
    await work(url);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

function startMock(words) {
  const child = spawn(process.execPath, [command, 'mock', ...words, '--port', '4010', '--quiet'], {
    cwd: fileURLToPath(root),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The mock ended with exit code ${code}.`)));
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/u.exec(text) ?? [];
      if (url !== undefined) resolve({ child, url });
    });
  });
}

/** Sends a request with no field more than is given, unlike fetch: the pictures show them. */
async function send(method, url, { body, headers = {} } = {}) {
  const json =
    body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const sent = request(url, { method, headers: { ...json, ...headers }, agent: false }).end(body);
  const [response] = await once(sent, 'response');
  const answer = await text(response);
  if (url.includes('/__cloche/') && response.statusCode >= 400) throw new Error(answer);
}

async function fill(url) {
  // The same time in each picture that is ever taken.
  const clock = `${url}/__cloche/clock`;
  await send('PUT', clock, { body: '{"now":"2026-06-01T09:41:00.000Z","frozen":true}' });
  const step = () => send('POST', `${clock}/advance`, { body: '{"ms":2417}' });
  const headers = { Authorization: 'Bearer secret' };
  for (const body of bodies) {
    await send('POST', `${url}/plants`, { headers, body });
    await step();
  }
  await send('POST', `${url}/plants`, { body: bodies[0] });
  await step();
  await send('GET', `${url}/plant/3`, { headers });
  await step();
  const rule = '{"id":"all-503","answer":{"status":503},"times":1}';
  await send('POST', `${url}/__cloche/faults`, { body: rule });
  await send('POST', `${url}/plants`, { headers, body: '{"id":8,"name":"Sage"}' });
}

function launch() {
  // Chromium refuses to run as root inside its sandbox.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

async function shootApp(url) {
  const browser = await launch();
  for (const colorScheme of ['light', 'dark']) {
    const viewport = { width: 700, height: 610 };
    const context = await browser.newContext({ colorScheme, viewport, locale: 'en' });
    const page = await context.newPage();
    await page.goto(`${new URL('examples/app/index.html', root)}?service=${encodeURIComponent(url)}`);
    await page.getByRole('status').filter({ hasText: 'of 7' }).waitFor();
    await page.screenshot({ path: fileURLToPath(new URL(`docs/app-${colorScheme}.png`, root)) });
    await context.close();
  }
  await browser.close();
}

async function shoot(url) {
  const browser = await launch();
  const desktop = { viewport: { width: 1280, height: 800 } };
  // More pixels on a desktop would make a file that nobody wants to load with a README.
  const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 1.5 };
  const pictures = [
    { name: 'light', colorScheme: 'light', ...desktop },
    { name: 'dark', colorScheme: 'dark', ...desktop },
    { name: 'phone', colorScheme: 'light', ...phone },
  ];
  for (const { name, ...options } of pictures) {
    const context = await browser.newContext({ ...options, timezoneId: 'UTC', locale: 'en' });
    const page = await context.newPage();
    const isPhone = name === 'phone';
    await page.goto(`${url}/__cloche/${isPhone ? '' : '#requests/6'}`);
    await page.getByRole(isPhone ? 'table' : 'article').waitFor();
    await page.screenshot({ path: fileURLToPath(new URL(`docs/inspector-${name}.png`, root)) });
    await context.close();
  }
  await browser.close();
}
