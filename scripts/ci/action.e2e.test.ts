import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { type IssueComment, startIssueComments } from '../../fixtures/issue-comments.ts';
import { pingDocument, startPings } from '../../fixtures/pings.ts';
import { action, actionPath, runAction } from '../../fixtures/run-action.ts';

let folder: string;

beforeAll(buildWhenStale);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloche-action-'));
  writeFileSync(join(folder, 'pings.yaml'), pingDocument);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(actionPath, join(folder, 'node_modules/cloche'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const few = '--suite samples';

test('passes for a service that conforms, and writes a JUnit report', async () => {
  const url = await startPings('{"pong":1}');
  const ended = await runAction({ document: 'pings.yaml', url, args: few }, { folder });
  expect(ended.stderr).toMatch(/\nPASS {2}pings\.yaml on /u);
  expect(ended).toMatchObject({ failed: undefined, code: 0 });
  expect(ended.ran).toEqual(['Install Cloche', 'Run cloche test', 'Result']);
  const reports = ended.outputs.get('test.reports') ?? '';
  expect(reports).toBe(join(folder, 'cloche-reports'));
  expect(readFileSync(join(reports, 'junit.xml'), 'utf8')).toContain('<testsuite ');
});

test('annotates the document for a service with a fault, and fails last', async () => {
  const url = await startPings('{}');
  const ended = await runAction({ document: 'pings.yaml', url, args: few }, { folder });
  expect(ended.stdout).toContain('::error file=pings.yaml,line=');
  expect(ended).toMatchObject({ failed: 'Result', code: 1 });
  expect(ended.outputs.get('test.exit-code')).toBe('1');
});

test('fails with the exit code of a run that never started, without a report of an earlier run', async () => {
  const stale = join(folder, 'cloche-reports/junit.xml');
  mkdirSync(join(folder, 'cloche-reports'));
  writeFileSync(stale, 'of an earlier run');
  const ended = await runAction({ document: 'missing.yaml' }, { folder });
  expect(ended.stderr).toContain('missing.yaml');
  expect(ended).toMatchObject({ failed: 'Result', code: 2 });
  expect(ended.outputs.has('test.junit')).toBe(false);
  expect(existsSync(stale)).toBe(false);
});

test('runs in the working directory', async () => {
  mkdirSync(join(folder, 'api'));
  writeFileSync(join(folder, 'api/openapi.yaml'), pingDocument);
  const url = await startPings('{"pong":1}');
  const inputs = { 'working-directory': 'api', document: 'openapi.yaml', url, args: few, reports: 'out' };
  const ended = await runAction(inputs, { folder });
  expect(ended.code).toBe(0);
  expect(existsSync(join(folder, 'api/out/junit.xml'))).toBe(true);
});

test('passes on no input to a shell', async () => {
  const trap = '$(touch trap)`touch trap`; touch trap #';
  const inputs = { document: trap, name: trap, args: `--suite '${trap}'`, reports: 'a b' };
  const ended = await runAction(inputs, { folder });
  expect(ended.stderr).toContain('$(touch trap)');
  expect(ended.code).toBe(2);
  expect(existsSync(join(folder, 'trap'))).toBe(false);
});

test.each([
  [`--seed 7 "--suite" 'no such'`, 'Failed to find the suite "no such"'],
  [String.raw`--suite no\ "such \"one\""`, 'Failed to find the suite "no such "one""'],
  ['--suite\n  folded', 'Failed to find the suite "folded"'],
])('splits the arguments %s as a shell does', async (args, message) => {
  const ended = await runAction({ document: 'pings.yaml', args }, { folder });
  expect(ended.stderr).toContain(message);
});

test('refuses arguments with a quote that is not closed', async () => {
  const ended = await runAction({ document: 'pings.yaml', args: '--suite "open' }, { folder });
  expect(ended).toMatchObject({ failed: 'Run cloche test', code: 1 });
  expect(ended.stderr).toContain('a quote in it is not closed: --suite "open');
});

test('installs the given version', async () => {
  const made = join(folder, 'made');
  mkdirSync(made);
  const manifest = { name: 'cloche', version: '9.9.9', bin: { cloche: 'main.js' } };
  writeFileSync(join(made, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    join(made, 'main.js'),
    "#!/usr/bin/env node\nconsole.log('9.9.9', ...process.argv.slice(2, 4));\n",
  );
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: made, stdio: 'ignore' });
  const ended = await runAction(
    { version: `file:${join(folder, 'cloche-9.9.9.tgz')}`, url: 'http://service' },
    { folder, env: { npm_config_offline: 'true' } },
  );
  expect(ended.stdout).toContain('9.9.9 test http://service\n');
  expect(ended.code).toBe(0);
});

const event = JSON.stringify({ pull_request: { number: 7 } });
const marker = '<!-- cloche orders -->';

/** Runs the step that comments, with a report. */
async function comment(url: string, report: string, payload = event): Promise<string> {
  writeFileSync(join(folder, 'report.md'), report);
  writeFileSync(join(folder, 'event.json'), payload);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(actionPath, 'scripts/ci/comment.js')],
    {
      env: {
        GITHUB_API_URL: url,
        GITHUB_EVENT_PATH: join(folder, 'event.json'),
        GITHUB_REPOSITORY: 'o/r',
        GITHUB_RUN_ID: '5',
        GITHUB_SERVER_URL: 'https://github.invalid',
        INPUT_MARKDOWN: join(folder, 'report.md'),
        INPUT_NAME: 'orders',
        INPUT_TOKEN: 'token of the workflow',
      },
    },
  );
  return stdout;
}

/** Comments of a reviewer, one of which quotes the comment of a run. */
const earlier: readonly IssueComment[] = Array.from({ length: 120 }, (_, index) => ({
  id: index,
  body: index === 3 ? `${marker}\nI do not understand this.` : 'Looks good.',
  user: { login: 'reviewer', type: 'User' },
}));

test('creates one comment, and updates it in later runs', async () => {
  const github = await startIssueComments([...earlier]);
  expect(await comment(github.url, 'FAIL\n')).toBe('Created https://github.invalid/o/r/pull/7#1120\n');
  expect(await comment(github.url, 'PASS\n')).toBe('Updated https://github.invalid/o/r/pull/7#1120\n');
  expect(github.comments.slice(0, 120)).toEqual(earlier);
  expect(github.comments.slice(120).map(({ body }) => body)).toEqual([`${marker}\nPASS\n`]);
});

test('leaves the comment of another run alone', async () => {
  const other = {
    id: 1,
    body: '<!-- cloche payments -->\nPASS',
    user: { login: 'bot', type: 'Bot' as const },
  };
  const github = await startIssueComments([other]);
  await comment(github.url, 'PASS\n');
  expect(github.comments.map(({ body }) => body)).toEqual([other.body, `${marker}\nPASS\n`]);
});

test('cuts a report that is too long for a comment, and links the run', async () => {
  const github = await startIssueComments([]);
  await comment(github.url, 'a line of a long report\n'.repeat(5_000));
  const body = github.comments[0]?.body ?? '';
  expect(body).toContain('the [run](https://github.invalid/o/r/actions/runs/5) has all of it.');
  expect(body.length).toBeGreaterThan(65_000);
  expect(body).toMatch(/\na line of a long report$/u);
});

test('warns if the token has no permission', async () => {
  const github = await startIssueComments([], { refusal: 403 });
  expect(await comment(github.url, 'PASS\n')).toMatch(
    /^::warning::Failed to write the comment: GitHub answered POST \S+ with 403 .*not accessible.*"pull-requests: write"/u,
  );
});

test('warns if GitHub cannot be reached', async () => {
  expect(await comment('http://github.invalid', 'PASS\n')).toContain('comment: fetch failed: ');
});

test('writes a SARIF report for code scanning and the comment of a run', async () => {
  const github = await startIssueComments([]);
  const url = await startPings('{}');
  writeFileSync(join(folder, 'event.json'), event);
  const env = {
    GITHUB_API_URL: github.url,
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_REPOSITORY: 'o/r',
    GITHUB_RUN_ID: '5',
    GITHUB_SERVER_URL: 'https://github.invalid',
  };
  const inputs = {
    document: 'pings.yaml',
    url,
    args: few,
    'wait-for-service': '5',
    sarif: 'true',
    comment: 'true',
  };
  const ended = await runAction(inputs, { folder, env });
  expect(ended).toMatchObject({ failed: 'Result', code: 1 });
  expect(ended.ran).toContain('Comment on the pull request');
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]?.body).toMatch(/^<!-- cloche cloche -->\n[^]*pong/u);
  const sarif = readFileSync(ended.outputs.get('test.sarif') ?? '', 'utf8');
  expect(JSON.parse(sarif)).toMatchObject({ version: '2.1.0', runs: [{ results: [{ level: 'error' }] }] });
});

test('writes no comment for a push', async () => {
  const github = await startIssueComments([]);
  expect(await comment(github.url, 'PASS\n', '{"ref":"refs/heads/main"}')).toContain(
    '::notice::No pull request',
  );
  expect(github.requests).toEqual([]);
});

test('reads every declared input, and puts none into a script', () => {
  const { inputs, runs, outputs } = action;
  const used = [...JSON.stringify([runs, outputs]).matchAll(/inputs\.([\w-]+)/gu)].map(([, name]) => name);
  expect(new Set(used)).toEqual(new Set(Object.keys(inputs)));
  expect(runs.steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
});
