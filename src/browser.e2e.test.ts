import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveAppWithMock, type ServedApp } from '../fixtures/browser/serve-app-with-mock.ts';
import { buildWhenStale } from '../fixtures/build-when-stale.ts';
import { hasChromium, launchChromium } from '../fixtures/chromium.ts';
import { createMock } from './browser.ts';
import { toBundle } from './document/bundle.ts';
import { readDocument } from './document/read-document.ts';
import { stringifyJson } from './json/print.ts';
import { keptRole } from './contract/resources.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const minute = 60_000;

async function bundle(document: string): Promise<string> {
  const read = await readDocument(`${root}${document}`);
  return stringifyJson(toBundle(read.root));
}

/** What a built file imports, and what those files import, that is no file beside it. */
function listPackages(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const { importedFiles } = ts.preProcessFile(readFileSync(root + file, 'utf8'));
  return importedFiles.flatMap(({ fileName }) =>
    fileName.startsWith('.') ? listPackages(posix.join(posix.dirname(file), fileName), seen) : [fileName],
  );
}

beforeAll(buildWhenStale, minute);

test.each([
  ['dist/src/browser.js', []],
  ['dist/src/msw.js', ['msw']],
])('%s and all that it loads import nothing but %j', (file, packages) => {
  expect([...new Set(listPackages(file))]).toEqual(packages);
});

test('answers what no state can answer with samples that are valid', async () => {
  const document = 'fixtures/documents/samples.yaml';
  const mock = await createMock(await bundle(document));
  const samples = mock.contract.operations.filter((operation) => keptRole(operation) === undefined);
  expect(samples.length).toBeGreaterThan(2);
  for (const { method, path } of samples.filter(({ requestBody }) => requestBody === undefined)) {
    const target = path.template.replaceAll(/\{[^}]*\}/gu, '2025');
    const { ok } = await mock.fetch(target, { method, headers: { authorization: 'Bearer t' } });
    expect([target, ok]).toEqual([target, true]);
  }
  const report = await mock.fetch('/reports/2025', { headers: { authorization: 'Bearer t' } });
  expect(await report.json()).toMatchObject({ year: 2025, unit: 'kWh' });
});

test('says of an object that is no OpenAPI document what it is', async () => {
  await expect(createMock({ swagger: '1.2' })).rejects.toThrow('Failed to read "the document"');
});

test('has no port, and says what there is instead', async () => {
  const mock = await createMock({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} });
  // `as`: what a program without types may call.
  const { listen } = mock as unknown as { listen: () => Promise<unknown> };
  await expect(listen()).rejects.toThrow(
    'Failed to call "listen": a browser has neither ports nor dispatchers. Use fetch() of the mock, or the handlers of cloche/msw.',
  );
});

const versions = [
  [2, 'msw'],
  [3, 'msw-3'],
] as const;

describe.skipIf(!hasChromium).each(versions)(
  'in a browser with MSW %i (skipped where no chromium or google-chrome is in /usr/bin)',
  { timeout: minute },
  (_version, msw) => {
    let app: ServedApp;
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      app = await serveAppWithMock(await bundle('spec/plant-store.yaml'), msw);
      browser = await launchChromium();
      page = await browser.newPage();
      await page.goto(app.url);
      await page.waitForFunction('globalThis.ask !== undefined');
    }, minute);

    afterAll(async () => {
      await browser.close();
      app.close();
    });

    function create(body: string): Promise<string> {
      const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };
      const init = JSON.stringify({ method: 'POST', headers, body });
      return page.evaluate(`ask('https://api.example.com/plants', ${init})`);
    }

    test('the mock answers what the page fetches, remembers it, and keeps its digits', async () => {
      expect(await create('{"id":9007199254740993,"name":"Basil"}')).toBe('200 {"name":"Basil"}');
      expect(await create('{"id":9007199254740992,"name":"Basil"}')).toBe('200 {"name":"Basil"}');
      expect(await create('{"id":9007199254740993,"name":"Basil"}')).toMatch(/^400 .*9007199254740993/u);
    });

    test('the mock forgets it on reset, and tells what it was asked', async () => {
      await page.evaluate('mock.reset()');
      await create('{"id":1,"name":"Basil"}');
      await create('{"id":1}');
      expect(
        await page.evaluate(
          'mock.requests.list().slice(-2).map(({ status, curl }) => [status, curl.slice(0, 4)])',
        ),
      ).toEqual([
        [200, 'curl'],
        [400, 'curl'],
      ]);
    });

    test('the mock ends a connection where a fault says so', async () => {
      await page.evaluate("mock.faults.put({ connection: 'drop', times: 1 })");
      expect(await create('{"id":2,"name":"Basil"}')).toBe('TypeError');
      expect(await create('{"id":2,"name":"Basil"}')).toMatch(/^200 /u);
    });
  },
);
