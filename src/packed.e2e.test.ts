import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'cloche-packed-'));
const user = join(work, 'user');
const minutes = 60_000;

// What `npm test` and vitest add to the environment would steer the user's own npm and vitest.
const ownWords = /^(npm_(?!config_)|npm_config_local_prefix$|INIT_CWD$|NODE_ENV$|VITEST|CLOCHE_)/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ownWords.test(name)));

const run = promisify(execFile);

/** Packs a copy, so that the build leaves alone the dist/ that other tests may be running. */
async function pack(): Promise<string> {
  const copy = join(work, 'copy');
  mkdirSync(copy);
  const left = new Set(['.git', 'bench', 'coverage', 'dist', 'examples', 'fixtures', 'node_modules', 'wild']);
  for (const name of readdirSync(root).filter((entry) => !left.has(entry))) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  await run('npm', ['pack', '--pack-destination', work], { cwd: copy, env });
  const tarball = readdirSync(work).find((name) => name.endsWith('.tgz'));
  return join(work, String(tarball));
}

beforeAll(async () => {
  const tarball = await pack();
  cpSync(join(root, 'fixtures/package'), user, { recursive: true });
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', tarball, ...quietly], { cwd: user, env });
  symlinkSync(join(root, 'node_modules/vitest'), join(user, 'node_modules/vitest'));
}, 5 * minutes);

afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

/** Starts the installed mock, and stops it when the caller is done. Returns its exit code. */
async function withMock(use: (url: string) => Promise<void>): Promise<number | null> {
  const mock = spawn(join(user, 'node_modules/.bin/cloche'), ['mock', '--port', '0', '--token', 't'], {
    cwd: user,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(mock, 'exit');
  try {
    await use(await findUrl(mock));
  } finally {
    mock.kill('SIGTERM');
    await ended;
  }
  return mock.exitCode;
}

/** The first address that the mock prints, on whichever stream. */
function findUrl(mock: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [mock.stdout, mock.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
        if (url !== undefined) resolve(url);
      });
    }
    mock.once('error', reject);
    mock.once('exit', (code) => {
      reject(new Error(`cloche mock ended with exit code ${code} and printed: ${output}`));
    });
  });
}

function create(url: string, { id, token }: { id: string; token: string }): Promise<Response> {
  return fetch(`${url}/plants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: `{"id":${id},"name":"Basil"}`,
  });
}

test('the package holds the code, the contract and the suites, and no test', () => {
  const files = readdirSync(join(user, 'node_modules/cloche'), { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'dist/src/cli/main.js',
      'dist/src/browser.d.ts',
      'dist/src/index.d.ts',
      'dist/src/msw.js',
      'dist/suites/all-suites.js',
      'spec/report.schema.json',
      'spec/plant-store.policy.yaml',
      'spec/plant-store.yaml',
    ]),
  );
  expect(files.filter((file) => /\.test\.|^src\b|^fixtures\b/.test(file))).toEqual([]);
});

test(
  'npx cloche test passes on the mock where the package is installed',
  { timeout: 2 * minutes },
  async () => {
    const { stdout, stderr } = await run('npx', ['--no-install', 'cloche', 'test'], { cwd: user, env });
    expect(stdout + stderr).toContain('seed');
  },
);

test('cloche mock answers where the package is installed', { timeout: minutes }, async () => {
  const exitCode = await withMock(async (url) => {
    const created = await create(url, { id: '9007199254740992', token: 't' });
    expect([created.status, await created.json()]).toEqual([200, { name: 'Basil' }]);
    const twin = await create(url, { id: '9007199254740993', token: 't' });
    expect(twin.status).toBe(200);
    const again = await create(url, { id: '9007199254740993', token: 't' });
    expect(again.status).toBe(400);
    const stranger = await create(url, { id: '1', token: 'other' });
    expect(stranger.status).toBe(401);
  });
  expect(exitCode).toBe(0);
});

test('cloche bundle writes what the mock of cloche/browser is made of', { timeout: minutes }, async () => {
  const { stdout } = await run('npx', ['--no-install', 'cloche', 'bundle'], { cwd: user, env });
  const { stdout: answered } = await run(process.execPath, ['in-a-page.js', stdout], { cwd: user, env });
  expect(answered).toBe('200 {"name":"Basil"}\n');
});

test('cloche/vitest runs the suites in the vitest of a user', { timeout: 2 * minutes }, async () => {
  await withMock(async (url) => {
    const vitest = join('node_modules', 'vitest', 'vitest.mjs');
    const { stdout } = await run(process.execPath, [vitest, 'run', '--reporter=json'], {
      cwd: user,
      env: { ...env, SERVICE_URL: url },
    });
    expect(JSON.parse(stdout)).toMatchObject({ success: true, numFailedTests: 0 });
    expect(JSON.parse(stdout).numPassedTests).toBeGreaterThan(5);
  });
});
