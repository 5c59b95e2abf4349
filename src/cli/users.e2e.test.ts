import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import {
  createNotesService,
  type NotesOfOthers,
  userTokens,
} from '../../fixtures/credentials/notes-service.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-users-'));
const closer = createCloser();
const document = fileURLToPath(new URL('../../fixtures/documents/notes.yaml', import.meta.url));

beforeAll(() => buildWhenStale(), 2 * minute);
afterEach(() => closer.closeAll());
afterAll(() => rm(folder, { recursive: true, force: true }));

const other = '{ other: { bearerAuth: "${OTHER_TOKEN}" } }';

/** Starts a service and writes a configuration for it. */
async function startService(ofOthers: NotesOfOthers, users: string | undefined = other): Promise<void> {
  const port = await closer.listen(createNotesService(ofOthers));
  await configure(users, `url: http://127.0.0.1:${port}`);
}

async function configure(users: string | undefined, ...lines: readonly string[]): Promise<void> {
  const own = users === undefined ? [] : [`users: ${users}`];
  const text = [`document: ${document}`, 'credentials: { bearerAuth: "${API_TOKEN}" }', ...own, ...lines];
  await writeFile(join(folder, 'cloche.yaml'), `${text.join('\n')}\n`);
}

const run = (...words: readonly string[]): Promise<Ended> =>
  runCloche(words, { folder, env: { API_TOKEN: userTokens.ada, OTHER_TOKEN: userTokens.bob } });

const reports = ['json', 'html', 'har', 'junit', 'sarif', 'markdown', 'ctrf', 'gitlab', 'agent'];
const suite = ['--suite', 'policy-answers', '--seed', '1'];

/** Runs the suite under a policy, with all reports. Returns what it shows. */
async function judge(value: string): Promise<{ readonly code: number; readonly shown: string }> {
  const files = reports.flatMap((kind) => ['--report', `${kind}=report.${kind}`]);
  const words = ['--answer', `items-of-others=${value}`, '--verbose', ...suite, ...files];
  const { code, stdout, stderr } = await run('test', ...words);
  const texts = await Promise.all(reports.map((kind) => readFile(join(folder, `report.${kind}`), 'utf8')));
  return { code, shown: [stdout, stderr, ...texts].join('\n') };
}

const tokens = Object.values(userTokens);
const leaked = (text: string): readonly string[] => tokens.filter((token) => text.includes(token));

test.each(['visible', 'hidden', 'forbidden'] as const)(
  'accepts a service whose notes of others are %s as the policy says',
  { timeout: minute },
  async (value) => {
    await startService(value);
    const { code, shown } = await judge(value);
    expect([code, leaked(shown)]).toEqual([0, []]);
    expect(shown).toContain('getNote.items-of-others');
    expect(shown).not.toContain('VIOLATION');
  },
);

test.each([
  ['hidden', 'visible', 'the second user gets them'],
  ['forbidden', 'hidden', 'they do not exist for the second user'],
  ['visible', 'forbidden', 'the second user is refused'],
  ['hidden', 'leaky', 'the second user may delete it'],
] as const)(
  'finds that the notes of others are not %s but %s',
  { timeout: minute },
  async (value, ofOthers, violation) => {
    await startService(ofOthers);
    const { code, shown } = await judge(value);
    expect([code, leaked(shown)]).toEqual([1, []]);
    expect(shown).toContain(violation);
    // Each user has a variable in the curl lines.
    const users = shown.match(/(?<=curl .*Bearer \$)CLOCHE_TOKEN\w*/gu);
    expect(new Set(users).size).toBe(2);
  },
);

test('says once that there is no second user, and how to give one', { timeout: minute }, async () => {
  await startService('visible', '{}');
  const words = ['--answer', 'items-of-others=hidden', ...suite, '--suite', 'credentials'];
  const { code, stdout } = await run('test', ...words);
  expect(code).toBe(0);
  expect(stdout.match(/what a second user gets for the items of the first/gu)).toHaveLength(1);
  expect(stdout).toContain('users: { other:');
});

test('tests nothing of a second user without a policy', { timeout: minute }, async () => {
  await startService('visible');
  const { code, stdout } = await run('test', '--seed', '1', '--runs', '3', '--max-time', '30');
  expect([code, stdout.includes('second user')]).toEqual([0, false]);
});

test.each(['visible', 'hidden', 'forbidden'] as const)(
  'learns that notes of others are %s',
  { timeout: minute },
  async (ofOthers) => {
    await startService(ofOthers);
    const { code, stdout, stderr } = await run('learn', '--question', 'items-of-others', '-o', 'learnt.json');
    expect([code, stderr]).toEqual([0, '']);
    const text = await readFile(join(folder, 'learnt.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ answers: { 'items-of-others': ofOthers } });
    expect(leaked(stdout + text)).toEqual([]);
  },
);

test('learns nothing of a leak behind a response that hides items', { timeout: minute }, async () => {
  await startService('leaky');
  const { stdout } = await run('learn', '--question', 'items-of-others', '-o', 'learnt.json');
  expect(stdout).toContain('the second user may delete it');
});

test.each(['visible', 'hidden', 'forbidden'] as const)(
  'tests the own mock, whose items of others are %s, with a second user',
  { timeout: minute },
  async (value) => {
    await configure(undefined);
    const words = ['--answer', `items-of-others=${value}`, ...suite, '--report', 'json'];
    const { code, stdout } = await run('test', ...words);
    expect(code).toBe(0);
    expect(stdout).toContain('getNote.items-of-others');
  },
);

test.each([
  ['{ othr: { bearerAuth: x } }', 'users/othr', 'Perhaps other was meant'],
  ['{ other: { bearerAuht: x } }', 'users/other/bearerAuht', 'Perhaps "bearerAuth" was meant'],
  ['{ other: secret }', 'users/other', 'must be an object'],
  ['secret', 'users', 'must be an object'],
])('refuses the users %s with their place', { timeout: minute }, async (users, place, words) => {
  await startService('visible', users);
  const { code, stderr } = await run('test');
  expect(code).toBe(2);
  expect(stderr).toContain('cloche.yaml:3');
  expect(stderr).toContain(words);
  expect(stderr.replaceAll('.', '/')).toContain(place.split('/').at(-1));
});

test('masks the credentials of all users in cloche config', { timeout: minute }, async () => {
  await startService('visible', '{ other: { bearerAuth: "${OTHER_TOKEN}", key: "${OTHER_TOKEN}" } }');
  const { code, stdout } = await run('config');
  expect(code).toBe(0);
  expect(stdout).toContain('users:');
  expect(leaked(stdout)).toEqual([]);
});
