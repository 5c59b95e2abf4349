import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyOverlay } from '../../../fixtures/apply-overlay.ts';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { drawCases } from '../../../fixtures/draw-cases.ts';
import { createMockClient } from '../../../fixtures/mock-client.ts';
import { mockToken, runOnMock } from '../../../fixtures/run-on-mock.ts';
import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load.ts';
import { renderYaml } from '../../document/yaml.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { createMock } from '../../mock/create-mock.ts';
import { documentValueOf } from '../document-answers.ts';
import type { Policy } from '../policy.ts';
import { behaviours } from '../behaviours/index.ts';
import { createOverlay, toJsonPath } from './overlay.ts';
import type { HeaderList, Send } from '../../http/message.ts';
import { learn } from '../../learn/learn.ts';

test.each([
  ['', '$'],
  ['/paths/~1orders/post', "$.paths['/orders'].post"],
  ["/paths/~1a~1{b'c}/get", String.raw`$.paths['/a/{b\'c}'].get`],
  [String.raw`/paths/~1q"r\s`, String.raw`$.paths['/q"r\\s']`],
  ['/paths/~1a~0\n\tb', String.raw`$.paths['/a~\u000a\u0009b']`],
  ['/paths/~1entrées/responses/4XX', "$.paths['/entrées'].responses['4XX']"],
])('selects %j by %s', (pointer, path) => {
  expect(toJsonPath(pointer)).toBe(path);
});

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloche-overlay-'));
});
afterAll(() => rm(folder, { recursive: true }));

function documentAt(name: string): string {
  return fileURLToPath(new URL(`../../../${name}`, import.meta.url));
}

async function overlayOf(document: string, policy: Partial<Policy>): Promise<string> {
  const contract = await loadContract(document, { followReferences: false });
  const { overlay } = createOverlay({ contract, policy });
  // `as`: an overlay is JSON; it is only not written to.
  return renderYaml(overlay as unknown as JsonValue);
}

async function applied(document: string, overlay: string): Promise<Contract> {
  const file = join(folder, `${Math.random()}.json`);
  await writeFile(file, await applyOverlay(document, overlay));
  return loadContract(file, { followReferences: false });
}

const answers = Object.values(behaviours).flatMap(({ id, representatives }) =>
  representatives.map((answer) => ({ id, answer, words: JSON.stringify(answer) })),
);
const documents = [
  'spec/plant-store.yaml',
  'fixtures/documents/api-key.yaml',
  'fixtures/documents/server-made-id.yaml',
  'fixtures/documents/nullable.yaml',
  'fixtures/documents/samples.yaml',
];

test.each(drawCases(documents, 3))('no silence that a policy answers is left in %s', async (name) => {
  const document = documentAt(name);
  const before = await loadContract(document, { followReferences: false });
  const left: unknown[] = [];
  for (const { id, answer } of answers) {
    const after = await applied(document, await overlayOf(document, { [id]: answer }));
    // What a tool that rounds numbers makes of what the document said before is none of the overlay's doing.
    const open = before.operations.filter(
      (operation) => documentValueOf({ id, operation, contract: before }).kind === 'open',
    );
    const still = after.operations.filter(
      (operation) => documentValueOf({ id, operation, contract: after }).kind !== 'answered',
    );
    left.push(
      ...open.filter((was) => still.some((now) => now.id === was.id)).map((was) => [id, answer, was.id]),
    );
  }
  expect(left).toEqual([]);
});

interface Request {
  readonly body?: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request and more for each question. */
const requests: readonly Request[] = [
  { body: '{"id":1,"name":"Fern","tag":"a"}' },
  { body: '{"id":1,"name":"Moss"}' },
  { body: '{"id":2,"name":"Fern"}' },
  { body: '{"id":3,"name":"Ivy"}', headers: { authorization: '' } },
  { body: '{"id":3,"name":"Ivy"}', headers: { authorization: 'Bearer other' } },
  { body: '{', headers: { authorization: '' } },
  { body: '{' },
  { body: '{"id":"no"}' },
  { body: '{"id":3,"name":"Ivy"}', headers: { 'content-type': 'text/plain' } },
  { body: `{"id":4,"name":"Ivy"${' '.repeat(70_000)}}` },
  { body: `{"id":5,"name":"${'a'.repeat(300)}"}` },
  { body: '{"id":6,"name":"Oak","height":3}' },
  { body: '{"id":9223372036854775808,"name":"Elm"}' },
  { body: '{"id":7.0,"name":"Yew"}' },
  { body: '{"id":8,"name":"first","name":"last"}' },
  { body: '{"id":9,"name":"Ash"}', headers: { accept: 'text/html' } },
  { method: 'GET' },
  { method: 'GET', path: '/other' },
  ...Array.from({ length: 60 }, (_, index) => ({ body: `{"id":${index + 100},"name":"n${index}"}` })),
];

/** What is compared of the answers; sentences may differ, as may what is marked as not declared. */
async function ask(contract: Contract, policy: Partial<Policy>): Promise<readonly unknown[]> {
  const mock = await createMock(contract, { policy, tokens: ['t'], clock: () => 0 });
  const { send } = createMockClient(mock, { authorization: 'Bearer t', 'content-type': 'application/json' });
  const answers: unknown[] = [];
  for (const { body, method = 'POST', path = '/plants', headers } of requests) {
    const response = await send(`${method} ${path}`, body, headers);
    answers.push({
      request: body?.slice(0, 60) ?? `${method} ${path}`,
      status: response.status,
      text: response.text.replace(/"(message|detail)":.*\}$/u, '"$1":"…"}'),
      ...Object.fromEntries(
        ['content-type', 'www-authenticate', 'retry-after', 'allow'].map((name) => [
          name,
          response.headers.get(name),
        ]),
      ),
    });
  }
  await mock.close();
  return answers;
}

const plantStore = documentAt('spec/plant-store.yaml');

test.each(drawCases(answers, 2))(
  'the mock of the overlaid document answers like the policy: $id $words',
  async ({ id, answer }) => {
    const before = await loadContract(plantStore, { followReferences: false });
    const policy: Partial<Policy> = { [id]: answer };
    const after = await applied(plantStore, await overlayOf(plantStore, policy));
    expect(await ask(after, {})).toEqual(await ask(before, policy));
  },
);

/** Values that OpenAPI has words for. */
const strict: Partial<Policy> = {
  'duplicate-key': 'conflict',
  'missing-credentials': { status: 401, body: 'problem' },
  'invalid-credentials': { status: 403, body: 'empty' },
  'body-limit': { bytes: 65_536, status: 413 },
  'int64-range': 'refuse',
  'undeclared-properties': 'refuse',
  constraints: { name: { maxLength: 255 } },
  'response-extras': 'id',
  'unsupported-media-type': 415,
  accept: 406,
  echo: 'exact',
};

test('the suites find no violation in the mock of an overlaid document', async () => {
  const after = await applied(plantStore, await overlayOf(plantStore, strict));
  const mock = await createMock(after, { tokens: [mockToken] });
  const { findings } = await runOnMock({ mock, runs: 5 });
  expect(findings.map(({ finding }) => `${finding.level} ${finding.check} ${finding.received}`)).toEqual([]);
});

/** Values that would share a status, or that would answer another question if their status were declared. */
const entangled: readonly Partial<Policy>[] = [
  {
    'missing-credentials': { status: 401, body: 'error' },
    'invalid-credentials': { status: 401, body: 'problem' },
  },
  {
    'missing-credentials': { status: 401, body: 'empty' },
    'invalid-credentials': { status: 401, body: 'problem' },
  },
  {
    'missing-credentials': { status: 401, body: 'error' },
    'invalid-credentials': { status: 404, body: 'error' },
  },
  {
    'missing-credentials': { status: 401, body: 'other' },
    'invalid-credentials': { status: 401, body: 'other' },
  },
  {
    'missing-credentials': { status: 302, body: 'other' },
    'invalid-credentials': { status: 401, body: 'error' },
  },
  { 'missing-credentials': { status: 409, body: 'error' } },
  { 'missing-credentials': { status: 422, body: 'error' } },
  { 'missing-credentials': { status: 415, body: 'problem' }, 'unsupported-media-type': 415 },
  { 'missing-credentials': { status: 409, body: 'empty' }, 'duplicate-key': 'conflict' },
  { 'missing-credentials': { status: 429, body: 'empty' }, 'rate-limit': { perSecond: 50 } },
];

test.each(drawCases(entangled, 4).map((policy) => [JSON.stringify(policy), policy] as const))(
  'the mock of the overlaid document answers like %s, and a service that does breaks nothing of it',
  async (_name, policy) => {
    const before = await loadContract(plantStore, { followReferences: false });
    const after = await applied(plantStore, await overlayOf(plantStore, policy));
    expect(await ask(after, {})).toEqual(await ask(before, policy));
    const mock = await createMock(after, { tokens: [mockToken] });
    const service = await createMock(before, { tokens: [mockToken], policy });
    const { findings } = await runOnMock({ mock, send: service.send, enforced: false, runs: 3 });
    const violations = findings.filter(({ finding }) => finding.level === 'violation');
    expect(violations.map(({ finding }) => `${finding.check} ${finding.received}`)).toEqual([]);
  },
);

test('an answer of an operation goes before the 409 that it declares', async () => {
  const file = join(folder, 'conflict.json');
  const declared = await applyOverlay(
    plantStore,
    await overlayOf(plantStore, { 'duplicate-key': 'conflict' }),
  );
  await writeFile(
    file,
    declared.replace('"operationId"', '"x-cloche-policy":{"duplicate-key":"replace"},"operationId"'),
  );
  const contract = await loadContract(file, { followReferences: false });
  const answers = await ask(contract, {});
  expect(answers[1]).toMatchObject({ status: 200 });
});

const order = { $ref: '#/components/schemas/Order' };

function post(operationId: string): JsonObject {
  return {
    operationId,
    requestBody: { $ref: '#/components/requestBodies/Order' },
    responses: { '201': { description: 'Created', content: { 'application/json': { schema: order } } } },
  };
}

const contract = contractOf({
  paths: { '/orders': { post: post('order') }, "/customer's": { post: post('orderForCustomer') } },
  components: {
    requestBodies: { Order: { required: true, content: { 'application/json': { schema: order } } } },
    schemas: {
      Order: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer' }, note: { type: 'string' } },
      },
    },
  },
});

test('what operations share is copied into the one that an answer is about', () => {
  const { overlay } = createOverlay({
    contract,
    policy: { operations: { orderForCustomer: { constraints: { note: { maxLength: 9 } } } } },
  });
  expect(overlay.actions.map(({ target, remove, update }) => [target, remove ?? update])).toEqual([
    [String.raw`$.paths['/customer\'s'].post.requestBody`, true],
    [
      String.raw`$.paths['/customer\'s'].post`,
      {
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { allOf: [order, { properties: { note: { maxLength: 9 } } }] } },
          },
        },
      },
    ],
    [String.raw`$.paths['/customer\'s'].post`, { 'x-cloche-policy': { constraints: {} } }],
  ]);
});

test('an answer for the whole service stands at the root', () => {
  const { overlay } = createOverlay({ contract, policy: { echo: 'none' } });
  expect(overlay.actions).toEqual([
    expect.objectContaining({ target: '$', update: { 'x-cloche-policy': { echo: 'none' } } }),
  ]);
});

test('an answer that one operation gives otherwise stands on each', () => {
  const { overlay } = createOverlay({
    contract,
    policy: { echo: 'none', operations: { order: { echo: 'exact' } } },
  });
  expect(overlay.actions.map(({ target, update }) => [target, update])).toEqual([
    ["$.paths['/orders'].post", { 'x-cloche-policy': { echo: 'exact' } }],
    [String.raw`$.paths['/customer\'s'].post`, { 'x-cloche-policy': { echo: 'none' } }],
  ]);
});

test('an answer that the document gives itself is not declared again', () => {
  const { paths, components } = contract.root;
  // `as`: what was given above.
  const root = {
    paths: paths as JsonObject,
    components: components as JsonObject,
    'x-cloche-policy': { echo: 'exact' },
  };
  expect(createOverlay({ contract: contractOf(root), policy: { echo: 'none' } }).overlay.actions).toEqual([]);
});

/** Returns a service whose 401 responses have a content. */
function rejectWith(send: Send, content: { readonly headers: HeaderList; readonly body: string }): Send {
  return async (request, options) => {
    const answer = await send(request, options);
    if (answer.kind !== 'response' || answer.response.status !== 401) return answer;
    const headers: HeaderList = [['WWW-Authenticate', 'Bearer'], ...content.headers];
    const body = new TextEncoder().encode(request.method === 'HEAD' ? '' : content.body);
    return { ...answer, response: { status: 401, headers, body } };
  };
}

const own = { status: 401, body: 'other' } as const;

test.each<[string, string | undefined, string]>([
  ['JSON that is no error of the document', 'application/json', '{"error":"unauthorized"}'],
  ['a page', 'text/html', '<h1>Unauthorized</h1>'],
  ['a problem whose status is a text', 'application/problem+json', '{"status":"401"}'],
  ['a text without a media type', undefined, 'Unauthorized'],
])(
  'a service that rejects credentials with %s conforms to the document with what was learnt of it',
  async (_name, type, body) => {
    const before = await loadContract(plantStore, { followReferences: false });
    const service = await createMock(before, { tokens: [mockToken] });
    const send = rejectWith(service.send, {
      headers: type === undefined ? [] : [['Content-Type', type]],
      body,
    });
    const { answers } = await learn({
      contract: before,
      send,
      token: mockToken,
      keys: [1_000, 2_000_000],
      trials: 1,
      questions: ['accepted-tokens', 'missing-credentials', 'invalid-credentials'],
    });
    expect(answers).toMatchObject({ 'missing-credentials': own, 'invalid-credentials': own });

    const after = await applied(plantStore, await overlayOf(plantStore, answers));
    const [operation] = after.operations;
    expect(operation?.responses.map(({ media }) => media.map(({ range }) => range))).toContainEqual(['*/*']);
    // Nothing of it is left to be said in other words than OpenAPI's.
    expect(JSON.stringify(after.root)).not.toContain('credentials"');

    const mock = await createMock(after, { tokens: [mockToken] });
    const { findings } = await runOnMock({ mock, send, enforced: false, runs: 5 });
    const violations = findings.filter(({ finding }) => finding.level === 'violation');
    expect(violations.map(({ finding }) => `${finding.check} ${finding.received}`)).toEqual([]);
  },
);

test('an empty 401 violates a document that declares other content', async () => {
  const before = await loadContract(plantStore, { followReferences: false });
  const policy = { 'missing-credentials': own, 'invalid-credentials': own };
  const after = await applied(plantStore, await overlayOf(plantStore, policy));
  const service = await createMock(before, { tokens: [mockToken] });
  const send = rejectWith(service.send, { headers: [], body: '' });
  const mock = await createMock(after, { tokens: [mockToken] });
  const { findings } = await runOnMock({ mock, send, enforced: false, runs: 1 });
  expect(findings.map(({ finding }) => `${finding.level} ${finding.check}`)).toContain(
    'violation response-media-type',
  );
});
