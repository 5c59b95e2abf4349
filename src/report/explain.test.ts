import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { allSuites } from '../../suites/all-suites.ts';
import { contractOf } from '../../fixtures/contract-of.ts';
import { loadContract } from '../contract/load.ts';
import { createTextStyle } from '../errors/console-text.ts';
import { parseJson } from '../json/parse.ts';
import { indentJson } from '../json/print.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { Policy } from '../policy/policy.ts';
import { compileSchema } from '../schema/compile.ts';
import { explainContract, type Explanation } from './explain.ts';
import { renderExplanation } from './text/explain.ts';

function fileAt(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}

async function explain(name: string, given: Partial<Policy> = {}): Promise<Explanation> {
  const contract = await loadContract(fileAt(name), { followReferences: false });
  return explainContract({ contract, source: name, given, suites: allSuites, runs: 100 });
}

test('what a run will try is counted without making a request', () => {
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const order = {
    operationId: 'order',
    security: [{ key: [] }],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '200': { description: 'ok' } },
  };
  const contract = contractOf({
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    paths: { '/orders': { post: order } },
  });
  const judged = contract.operations.flatMap(({ requestBody }) =>
    (requestBody?.media ?? []).map((media) => media.schema && vi.spyOn(media.schema, 'validator')),
  );
  const { run } = explainContract({ contract, source: 'orders', given: {}, suites: allSuites, runs: 100 });
  const refused = run.suites
    .flatMap(({ properties }) => properties)
    .filter(({ id }) => id.endsWith('-credentials'));
  expect(refused.map(({ id, cases }) => [id, cases > 0])).toEqual([
    ['order.refused-credentials', true],
    ['order.spelled-credentials', true],
  ]);
  expect(judged.map((each) => each?.mock.calls.length)).toEqual([0]);
});

function render(explanation: Explanation, width: number): string {
  return renderExplanation(explanation, { paint: createTextStyle(false), width }).join('\n');
}

function read(text: string): JsonValue {
  const parsed = parseJson(text);
  if (parsed.kind !== 'json') throw new Error('no JSON');
  return parsed.value;
}

const documents = [
  'spec/plant-store.yaml',
  'fixtures/documents/lists.yaml',
  'fixtures/documents/parameters.yaml',
  'fixtures/documents/samples.yaml',
  'fixtures/documents/server-made-id.yaml',
];

test.each(documents)('the explanation of %s fits the published schema, and 80 columns', async (name) => {
  const explanation = await explain(name);
  const schema = read(readFileSync(fileAt('spec/explain.schema.json'), 'utf8'));
  const validate = compileSchema({ schema: isJsonObject(schema) ? schema : true, pointer: '' }).validator({
    formats: 'assert',
    integers: 'by-value',
  });
  // `as`: an explanation is JSON; it is only not written to.
  expect(validate(read(indentJson(explanation as unknown as JsonValue)), false)).toEqual([]);
  const tooLong = render(explanation, 80)
    .split('\n')
    .filter((line) => line.length > 80 && line.trimStart().includes(' '));
  expect(tooLong).toEqual([]);
});

test('a HEAD is explained as the GET of its path, where that reads what is kept', () => {
  const shelf = { type: 'object', properties: { room: { type: 'string' } } };
  const content = { 'application/json': { schema: shelf } };
  const get = { responses: { '200': { description: 'It.', content } } };
  const head = { responses: { '200': { description: 'It is there.' } } };
  const paths = {
    '/shelves/{room}': { get, head, put: { requestBody: { content }, ...get } },
    '/weather': { get, head },
  };
  const contract = contractOf({ paths });
  const { operations } = explainContract({ contract, source: 'shelves', given: {}, suites: [], runs: 1 });
  const kinds = Object.fromEntries(operations.map(({ method, path, kind }) => [`${method} ${path}`, kind]));
  expect(kinds).toMatchObject({
    'GET /shelves/{room}': 'read',
    'HEAD /shelves/{room}': 'read',
    'HEAD /weather': 'sample',
  });
});

test('an operation is explained with its key, its statuses and who is let in', async () => {
  const text = render(await explain('spec/plant-store.yaml'), 80);
  expect(text).toContain(
    [
      '  POST /plants createPlant',
      '    does        creates a resource of /plants',
      '    key         "id", which the client sends: the request body requires "id"',
      '    takes       application/json, required',
      '    answers     200 application/json, 400 application/json',
      '    auth        bearer',
    ].join('\n'),
  );
});

test('an operation is explained with the scopes that a token needs', () => {
  const contract = contractOf({
    components: { securitySchemes: { oauth: { type: 'oauth2', flows: {} } } },
    paths: {
      '/orders': {
        get: { security: [{ oauth: ['read', 'list'] }], responses: { 204: { description: 'ok' } } },
      },
    },
  });
  const explanation = explainContract({ contract, source: 'orders', given: {}, suites: allSuites, runs: 1 });
  expect(explanation.operations[0]?.security).toEqual([
    [{ name: 'oauth', kind: 'bearer', scopes: ['read', 'list'] }],
  ]);
  expect(render(explanation, 80)).toContain('    auth        oauth (bearer): read list\n');
});

test.each([
  ['swagger: "2.0"', '2.0'],
  ['openapi: 3.0.3', '3.0'],
  ['openapi: 3.1.1', '3.1'],
  ['openapi: 3.2.0', '3.2'],
])('the heading shows the version of the document: %s', async (version, shown) => {
  const file = join(await mkdtemp(join(tmpdir(), 'cloche-version-')), 'api.yaml');
  await writeFile(file, `${version}\ninfo: { title: T, version: '1' }\npaths: {}\n`);
  const contract = await loadContract(file, { followReferences: false });
  const explained = explainContract({ contract, source: file, given: {}, suites: [], runs: 1 });
  expect(explained.contract.openapi).toBe(shown);
  expect(render(explained, 200)).toContain(`OpenAPI ${shown})`);
});

test('a silence is shown with the answer of the policy and where the document would have to speak', async () => {
  const text = render(await explain('spec/plant-store.yaml', { 'duplicate-key': 'conflict' }), 80);
  expect(text).toContain('19 of 19 behaviours undecided');
  expect(text).toContain(
    [
      '  duplicate-key           409 with an error body (policy)',
      '                          The operation would have to declare 409, for when "id"',
      '                          is taken.',
    ].join('\n'),
  );
});

test('what the document declares is told with its line', async () => {
  const { answers } = await explain('fixtures/documents/server-made-id.yaml');
  expect(answers.find(({ question }) => question === 'duplicate-key')).toEqual({
    question: 'duplicate-key',
    operation: 'openTicket',
    state: 'not-asked',
    says: 'no client chooses an id',
  });
  const pages = await explain('fixtures/documents/recursive.yaml');
  expect(pages.answers.find(({ question }) => question === 'int64-range')).toMatchObject({
    state: 'answered',
    from: 'document',
    answer: { value: 'refuse' },
    place: { line: expect.any(Number) },
  });
});

test('names the patterns that are held against short texts alone, and where they stand', () => {
  const pattern = '^(a(?=b|$)|b)+$';
  const code = { type: 'string', pattern, example: { pattern } };
  const schema = {
    properties: { code, plain: { pattern: '^(a|b)+$' } },
    patternProperties: { [pattern]: {} },
  };
  const contract = contractOf({
    paths: {
      '/codes': { post: { requestBody: { content: { 'application/json': { schema } } }, responses: {} } },
    },
  });
  const { warnings } = explainContract({ contract, source: 'a.yaml', given: {}, suites: [], runs: 1 });
  expect(warnings.map(({ reason, effect }) => [reason.split(': ')[0], effect])).toEqual([
    [expect.stringMatching(/patternProperties/u), 'texts longer than 16 characters are not checked'],
    [expect.stringMatching(/code\.pattern$/u), 'texts longer than 16 characters are not checked'],
  ]);
});
