import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { FetchHandler } from '../http/fetch-send.ts';
import { createNotesService, userTokens } from '../../fixtures/credentials/notes-service.ts';
import { createMock } from '../mock/create-mock.ts';
import { provideToken } from '../session/credentials.ts';
import { type ConformanceTest, conformanceTests, testService } from './conformance-tests.ts';
import type { ConformanceOptions } from './options.ts';

const token = 'the-token-of-the-tests';
const mock = await createMock(undefined, { tokens: [token] });
const folder = mkdtempSync(join(tmpdir(), 'cloche-conformance-'));
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

/** The mock, but it accepts a plant without a name. */
const faulty: FetchHandler = async (request) => {
  const body = await request.clone().text();
  const response = await mock.fetch(request);
  const isAccepted =
    response.status === 400 && /^\{"(?!name)[^{]*\}$/u.test(body) && !body.includes('"name"');
  return isAccepted ? Response.json({ name: 'Basil' }) : response;
};
const options: ConformanceOptions = { fetch: faulty, token, suites: ['invalid-bodies', 'framing'], runs: 3 };

async function findFailing(
  tests: readonly ConformanceTest[],
): Promise<readonly [name: string, why: string][]> {
  const failing: [string, string][] = [];
  for (const { name, skip, run } of tests) {
    if (skip !== undefined) continue;
    await run().catch((error: unknown) => failing.push([name, String(error)]));
  }
  return failing;
}

test('the test of a property fails if the service does not conform, and names clause, place and replay', async () => {
  const tests = await conformanceTests(options);
  expect(tests.filter(({ skip }) => skip !== undefined).map(({ suite }) => suite)).toEqual([
    'framing',
    'framing',
  ]);
  const failing = await findFailing(tests);
  expect(failing[0]?.[0]).toContain('invalid-bodies/createPlant.missing-property: ');
  const [, message = ''] = failing[0] ?? [];
  expect(message).toMatch(/^ConformanceError: \d+ finding/u);
  expect(message).toContain('#/components/schemas/Plant/required — required: /name is required, but missing');
  expect(message).toContain('$CLOCHE_TOKEN');
  expect(message).not.toContain(token);
  const [, path = ''] = /path: "(.+)"/u.exec(message) ?? [];
  const replayed = await conformanceTests({ ...options, path });
  expect(replayed.map(({ name }) => name)).toEqual([failing[0]?.[0]]);
  expect(await findFailing(replayed)).toHaveLength(1);
});

test('a known finding of the baseline passes', async () => {
  const failing = await findFailing(await conformanceTests(options));
  const text = failing.map(([, message]) => message).join('\n');
  const ids = new Set([...text.matchAll(/\[([a-z][a-z0-9-]*-[0-9a-f]{12})\]/gu)].map(([, id]) => id));
  expect(ids.size).toBeGreaterThan(0);
  const baseline = join(folder, 'baseline.json');
  writeFileSync(baseline, JSON.stringify({ findings: [...ids].map((id) => ({ id })) }));
  expect(await findFailing(await conformanceTests({ ...options, baseline }))).toEqual([]);
});

test('a second service receives the same requests', async () => {
  const reference = await createMock(undefined, { tokens: [token] });
  const { url } = await reference.listen({ port: 0 });
  onTestFinished(() => reference.close());
  const how = { token, runs: 3, suites: ['invalid-bodies'], against: url };
  const result = await testService({ ...how, fetch: (request) => mock.fetch(request) });
  expect(result.parity).toMatchObject({ differing: 0 });
  expect(result.parity?.compared).toBeGreaterThan(10);
  expect(reference.requests.list().length).toBeGreaterThan(10);
  const failing = testService({ ...how, fetch: faulty });
  await expect(failing).rejects.toThrow('the other service');
});

test('answers override those of the policy', async () => {
  const policy = { 'duplicate-key': 'conflict' } as const;
  const how = {
    token,
    runs: 3,
    suites: ['policy-answers', 'repeated-keys'],
    fetch: (request: Request) => mock.fetch(request),
  };
  await expect(testService({ ...how, policy, answers: { 'duplicate-key': 'replace' } })).rejects.toThrow(
    'duplicate-key',
  );
});

test('all suites are one test, which returns the result of the run or fails', async () => {
  await expect(testService(options)).rejects.toThrow('A body that breaks its schema was accepted');
  const result = await testService({ ...options, fetch: (request) => mock.fetch(request) });
  expect(result.findings).toEqual([]);
  expect(result.requests).toBeGreaterThan(10);
});

test('read-only tests send nothing that changes something', async () => {
  const sent = new Set<string>();
  const handler: FetchHandler = (request) => {
    sent.add(request.method);
    return mock.fetch(request);
  };
  const tests = await conformanceTests({ fetch: handler, token, readOnly: true, runs: 2 });
  await findFailing(tests);
  expect([...sent].filter((method) => !['GET', 'HEAD', 'OPTIONS'].includes(method))).toEqual([]);
});

test('tests only the selected operations, with known values and few items', async () => {
  const document = new URL('../../fixtures/documents/articles.yaml', import.meta.url);
  const articles = await createMock(fileURLToPath(document), { data: 'none' });
  const handler: FetchHandler = (request) => articles.fetch(request);
  const { coverage, latency } = await testService({
    fetch: handler,
    document,
    suites: ['valid-bodies', 'samples'],
    runs: 3,
    exclude: { methods: ['DELETE'] },
    values: { title: ['News', 'Sport'] },
    maxCreates: 4,
    maxResponseTime: 60_000,
  });
  const created = articles.requests.list({ status: 201 });
  const titles = created.map(({ request }) => /"title":"([^"]*)"/u.exec(request.body ?? '')?.[1]);
  expect(coverage.map(({ operation }) => operation)).not.toContain('deleteArticle');
  expect(articles.requests.list({ method: 'DELETE' })).toEqual([]);
  expect(created).toHaveLength(4);
  expect(titles.filter((title) => title !== 'News' && title !== 'Sport')).toEqual([]);
  expect(latency?.limitMs).toBe(60_000);
  await articles.close();
});

test.each<[string, object, string]>([
  [
    'an operation that the document lacks',
    { ...options, include: { operations: ['createPlan'] } },
    'Perhaps createPlant',
  ],
  ['a known value of an unknown name', { ...options, values: { nam: ['a'] } }, '"nam"'],
  ['a limit that is no number', { ...options, maxCreates: -1 }, 'it takes a whole number from 0'],
  ['an unknown option', { ...options, tokn: 'a' }, 'Perhaps "token" was meant.'],
  ['no service', { document: 'a.yaml' }, 'no service is given'],
  ['two services', { ...options, app: () => undefined }, 'one service can be tested at a time'],
  ['a number out of range', { ...options, runs: 0 }, 'it takes a whole number from 1 to 1000000'],
  ['an unknown suite', { ...options, suites: ['tea'] }, 'Choose among valid-bodies'],
  ['a header that cannot be sent', { ...options, headers: { 'X-Key': 'a\nsecret' } }, 'field "X-Key"'],
  ['a missing baseline', { ...options, baseline: 'no-such.json' }, 'no-such.json'],
])('refuses %s', async (_name, given, message) => {
  // `as`: what a program without types may give.
  await expect(conformanceTests(given as ConformanceOptions)).rejects.toThrow(message);
});

test('tests what a second user gets with its provider, and shows the credentials of no provider', async () => {
  const document = fileURLToPath(new URL('../../fixtures/documents/notes.yaml', import.meta.url));
  const tests = await conformanceTests({
    app: createNotesService('visible'),
    document,
    credentials: provideToken(userTokens.ada),
    users: { other: provideToken(userTokens.bob) },
    policy: { 'items-of-others': 'hidden' },
    suites: ['policy-answers'],
  });
  const [failing] = await findFailing(tests);
  const [name, message] = failing ?? ['', ''];
  expect(name).toContain('getNote.items-of-others');
  expect(message).toContain('the second user gets them');
  expect(message).toMatch(/Bearer \$CLOCHE_TOKEN/u);
  expect(Object.values(userTokens).filter((each) => message.includes(each))).toEqual([]);
});
