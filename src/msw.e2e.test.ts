import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../fixtures/build-when-stale.ts';
import { toBundle } from './document/bundle.ts';
import { readDocument } from './document/read-document.ts';
import { stringifyJson } from './json/print.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const require = createRequire(import.meta.url);
const work = mkdtempSync(join(tmpdir(), 'cloche-msw-'));
const run = promisify(execFile);

beforeAll(buildWhenStale, 60_000);

afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

/** Creates the folder of an app that has this Cloche and one version of MSW installed. */
function createApp(version: string, manifest: string): string {
  const app = join(work, version);
  const cloche = join(app, 'node_modules/cloche');
  mkdirSync(cloche, { recursive: true });
  copyFileSync(join(root, 'package.json'), join(cloche, 'package.json'));
  cpSync(join(root, 'dist'), join(cloche, 'dist'), { recursive: true });
  symlinkSync(dirname(manifest), join(app, 'node_modules/msw'));
  copyFileSync(join(root, 'fixtures/msw/handle-requests.js'), join(app, 'handle-requests.mjs'));
  return app;
}

test.each([
  ['2.15.0', require.resolve('msw/package.json')],
  ['3.0.5', require.resolve('msw-3/package.json')],
])('handles the requests of an app with MSW %s', async (version, manifest) => {
  // `as`: a manifest that npm installed has a version.
  const installed = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  expect(installed.version).toBe(version);
  const { root: document } = await readDocument(`${root}spec/plant-store.yaml`);
  const script = [
    join(createApp(version, manifest), 'handle-requests.mjs'),
    stringifyJson(toBundle(document)),
  ];
  const { stdout } = await run(process.execPath, script);
  expect(JSON.parse(stdout)).toEqual({
    created: '200 {"name":"Basil"}',
    otherDigits: '200 {"name":"Basil"}',
    repeated: expect.stringMatching(/^400 .*9007199254740993/u),
    invalid: expect.stringMatching(/^400 .*name is required/u),
    otherMethod: expect.stringMatching(/^405 /u),
    unhandled: '200 elsewhere',
    dropped: 'TypeError',
    // MSW 2 throws an error of its own, and MSW 3 that of a failed fetch.
    unhandledAsError: expect.stringMatching(/^(?:Internal|Type)Error$/u),
    reported: [true],
  });
});
