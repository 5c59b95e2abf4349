import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../fixtures/contract-of.ts';
import { writeReport } from '../fixtures/create-run-events.ts';
import {
  buildRequest,
  defineCheck,
  defineExtension,
  defineSequenceCheck,
  defineSuite,
  type Extension,
  headerValue,
  judgeExchange,
  type RequestCase,
} from './extend.ts';
import { plainBodies } from './arbitrary/plain-body.ts';
import { type Body, type Cases, noCases } from './arbitrary/request-case.ts';
import { plainRequest } from './arbitrary/request.ts';
import type { Contract, Operation } from './contract/contract.ts';
import type { HttpRequest, Send } from './http/message.ts';
import type { JsonObject } from './json/value.ts';
import { createGithubReport } from './report/github.ts';
import { createHtmlReport } from './report/html/report.ts';
import { createJsonReport } from './report/json.ts';
import { createJunitReport } from './report/junit.ts';
import type { RunEvent } from './events/events.ts';
import type { RunOptions } from './session/target.ts';
import { runSuites } from './runner/run.ts';

/** A contract with a list of codes, and a create that takes one. */
function createContract(): Contract {
  const code = { type: 'string', format: 'x-plant-code' };
  const plant = { type: 'object', required: ['code'], properties: { code } };
  const contentOf = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
  const responses = { '200': { description: 'ok', content: contentOf({ type: 'array', items: code }) } };
  return contractOf({
    paths: {
      '/plants': {
        get: { responses },
        post: {
          requestBody: { required: true, content: contentOf(plant) },
          responses: { '204': { description: 'ok' } },
        },
      },
    },
  });
}

const contract = createContract();

const requestId = defineCheck({
  id: 'x-request-id',
  docs: {
    title: 'A response has no <X-Request-Id>',
    place: 'API guidelines, section 4',
    finds: 'A response without the header field.',
    example: { request: 'GET /plants', answer: 'HTTP/1.1 200 OK' },
  },
  judge: ({ answer }) =>
    answer.kind === 'none' || headerValue(answer.response.headers, 'x-request-id') !== undefined
      ? undefined
      : { expected: 'a header field X-Request-Id', received: 'none' },
});
const sameAnswers = defineSequenceCheck({
  id: 'x-same-answers',
  levels: ['warning'],
  docs: { ...requestId.docs, title: 'Two equal reads got two responses' },
  judgeTrace: (trace) => trace.map((of) => ({ of, expected: 'the same', received: 'another' })),
});
const reads = defineSuite({
  id: 'reads',
  title: 'Reads',
  plan: ({ contract: { operations } }) => ({
    kind: 'properties',
    properties: operations.map((operation) => ({
      id: `${operation.id}.twice`,
      title: 'Two equal requests get equal responses',
      examples: [buildRequest(operation)],
      arbitrary: undefined,
      run: async (request, session) => [
        // `as`: a property is only given its own examples.
        await session.send(request as ReturnType<typeof buildRequest>, session.openIdContext()),
      ],
      traceChecks: [sameAnswers.judgeTrace],
    })),
  }),
});
const extension = defineExtension({ checks: [requestId, sameAnswers], suites: [reads] });

/** Runs the extensions alone on a service that answers `[]` to whatever it is sent. */
async function run(extensions: readonly Extension[], options: RunOptions = {}, of = contract) {
  const events: RunEvent[] = [];
  const sent: HttpRequest[] = [];
  const send: Send = async (request) => {
    sent.push(request);
    const headers = [['Content-Type', 'application/json']] as const;
    const body = new TextEncoder().encode('[]');
    return request.method === 'GET'
      ? { kind: 'response', response: { status: 200, headers, body } }
      : { kind: 'response', response: { status: 204, headers: [], body: new Uint8Array() } };
  };
  const emit = (event: RunEvent): number => events.push(event);
  const target = { contract: of, send, socketSend: send };
  const result = await runSuites([], target, { seed: 1, ...options, emit, extensions });
  return { result, events, sent };
}

test('judges by the checks and suites of an extension beside those of Cloche', async () => {
  const { result } = await run([extension]);
  expect(result.findings.map(({ finding, suite }) => [finding.check, finding.level, suite])).toEqual([
    ['x-request-id', 'violation', 'reads'],
    ['x-request-id', 'violation', 'reads'],
    ['x-same-answers', 'warning', 'reads'],
    ['x-same-answers', 'warning', 'reads'],
  ]);
  expect(result.findings[0]?.finding.clause).toEqual({
    kind: 'rule',
    name: 'API guidelines, section 4',
    quote: 'A response has no <X-Request-Id>',
  });
});

test('shows findings of its checks in every report', async () => {
  const { events, result } = await run([extension]);
  const id = String(result.findings[0]?.id);
  const changes = { contract };
  const json = writeReport(createJsonReport, { events, changes });
  const schema: object = JSON.parse(
    readFileSync(new URL('../spec/report.schema.json', import.meta.url), 'utf8'),
  );
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  expect([validate(JSON.parse(json)), validate.errors]).toEqual([true, null]);
  const html = writeReport(createHtmlReport, { events, changes });
  expect(html).toContain('What x-request-id finds');
  expect(html).toContain('A response has no &lt;X-Request-Id&gt;');
  const junit = writeReport(createJunitReport, { events, changes });
  expect(junit).toContain('type="x-request-id"');
  for (const text of [json, html, junit]) expect(text).toContain(id);
  const ofGithub = { nameInRepository: (file: string) => file, appendSummary: undefined };
  const github = writeReport((given) => createGithubReport({ ...given, ...ofGithub }), { events, changes });
  expect(github).toContain('x-request-id');
});

test('knows a finding of its checks by the same id in each run, for baselines and replays', async () => {
  const { result } = await run([extension]);
  const [found] = result.findings;
  if (found === undefined) throw new Error('the run found nothing');
  const { id, replay, finding } = found;
  expect(id).toMatch(/^x-request-id-[0-9a-f]{12}$/u);
  const baseline = { entries: [{ id }], today: '2026-11-26', partly: undefined };
  const again = await run([extension], { ...replay, baseline });
  const known = again.result.findings.filter((found) => found.known !== undefined);
  expect(known).toMatchObject([{ id, known: { id }, finding: { operation: finding.operation } }]);
  // The one replayed case, again for its other finding, and once to confirm each.
  expect(again.sent).toHaveLength(6);
});

test('calls hooks around a run and its requests, and sends what they return', async () => {
  const called: string[] = [];
  const hooks = {
    beforeRun: () => void called.push('before the run'),
    beforeRequest: (request: HttpRequest) => ({
      ...request,
      headers: [...request.headers, ['X-Signature', 'signed'] as const],
    }),
    afterResponse: ({ request }: { request: HttpRequest }) =>
      void called.push(String(headerValue(request.headers, 'x-signature'))),
    afterRun: () => void called.push('after the run'),
  };
  const { sent, result } = await run([{ ...extension, hooks }]);
  expect(sent.every(({ headers }) => headerValue(headers, 'x-signature') === 'signed')).toBe(true);
  expect(called).toEqual(['before the run', ...sent.map(() => 'signed'), 'after the run']);
  expect(JSON.stringify(result.findings)).not.toContain('X-Signature');
});

test('sends and shows the case that a hook returns, which changes it once', async () => {
  const beforeCase = (request: RequestCase) => ({
    ...request,
    headers: [...request.headers, ['X-Tenant', 'acme'] as const],
  });
  const { sent, result } = await run([{ ...extension, hooks: { beforeCase } }]);
  const tenants = sent.map(({ headers }) => headers.filter(([name]) => name === 'X-Tenant').length);
  // Each finding is confirmed by sending its case again.
  expect(sent.length).toBeGreaterThan(2);
  expect(new Set(tenants)).toEqual(new Set([1]));
  const shown = result.findings.flatMap(({ requests }) => requests);
  expect(shown.map(({ headers }) => headerValue(headers, 'x-tenant'))).toEqual(shown.map(() => 'acme'));
});

test('generates and validates texts of a format', async () => {
  const formats = {
    'x-plant-code': { test: (text: string) => text === 'FER-1', examples: ['FER-1'] as const },
  };
  const ofPlants = createContract();
  const { sent } = await run([{ suites: [reads], formats }], {}, ofPlants);
  expect(sent.some(({ body }) => new TextDecoder().decode(body) === '{"code":"FER-1"}')).toBe(true);
  const request = { method: 'GET', target: '/plants', headers: [], body: undefined };
  const respond = (text: string) => ({
    kind: 'response' as const,
    response: {
      status: 200,
      headers: [['Content-Type', 'application/json'] as const],
      body: new TextEncoder().encode(JSON.stringify([text])),
    },
  });
  const judge = (text: string) =>
    judgeExchange({ request, answer: respond(text) }, { contract: ofPlants })?.findings;
  expect(judge('FER-1')).toEqual([]);
  expect(judge('fern')).toMatchObject([{ check: 'response-schema' }]);
});

function plainCases(operation: Operation): Cases<Body> {
  const { body } = plainRequest(operation);
  return body.kind === 'body' ? plainBodies(body.body) : noCases;
}

test('generates parameters, properties, formats and bodies with the arbitraries of a user', async () => {
  // No other test has these names, because arbitraries stay registered.
  const contentOf = (schema: JsonObject, range = 'application/json'): JsonObject => ({
    [range]: { schema, example: { ownCurrency: 'USD', iban: 'x', at: { ownCurrency: 'USD' } } },
  });
  const money: JsonObject = {
    type: 'object',
    required: ['ownCurrency', 'iban', 'ownCount'],
    properties: {
      ownCurrency: { type: 'string' },
      iban: { type: 'string', format: 'x-iban' },
      ownCount: { type: 'integer' },
    },
  };
  const responses = { '204': { description: 'ok' } };
  const parameters = [
    { name: 'ownShop', in: 'query', required: true, schema: { type: 'integer' } },
    { name: 'ownCurrency', in: 'query', required: true, schema: { type: 'integer' } },
  ];
  const shops = contractOf({
    paths: {
      '/money': {
        post: { parameters, requestBody: { required: true, content: contentOf(money) }, responses },
      },
      '/other': {
        post: { requestBody: { required: true, content: contentOf({}, 'application/x+json') }, responses },
      },
    },
  });
  const generate = {
    parameters: { ownShop: fc.constantFrom(17, 'never valid'), ownCurrency: fc.constant('never valid') },
    properties: { ownCurrency: fc.constantFrom('EUR', 'CHF'), ownCount: fc.constant('never valid') },
    formats: { 'x-iban': fc.constant('DE75512108001245126199') },
    mediaTypes: { 'application/x+json': fc.constant({ own: true }) },
  };
  const bodies = defineSuite({
    id: 'bodies',
    title: 'Bodies',
    plan: ({ contract: { operations } }) => ({
      kind: 'properties',
      properties: operations.map((operation) => ({
        id: operation.id,
        title: 'It is sent',
        ...plainCases(operation),
        run: async (body, session) => [
          // `as`: a property is only given its own cases.
          await session.send(buildRequest(operation, { body: body as Body }), session.openIdContext()),
        ],
        traceChecks: [],
      })),
    }),
  });
  const { sent } = await run([{ suites: [bodies], generate }], { runs: 20 }, shops);
  const ofMoney = sent.filter(({ target }) => target.startsWith('/money'));
  const read = ({ body }: HttpRequest) => JSON.parse(new TextDecoder().decode(body));
  expect(new Set(ofMoney.map((request) => read(request).ownCurrency))).toEqual(new Set(['EUR', 'CHF']));
  expect(new Set(ofMoney.map((request) => read(request).iban))).toEqual(new Set(['DE75512108001245126199']));
  expect(ofMoney.every((request) => Number.isInteger(read(request).ownCount))).toBe(true);
  expect(ofMoney.every(({ target }) => /^\/money\?ownShop=17&ownCurrency=\d+$/u.test(target))).toBe(true);
  const others = sent.filter(({ target }) => target === '/other').map(read);
  expect(others).toContainEqual({ own: true });
});

test('judges one exchange by the checks of an extension', () => {
  const request = { method: 'POST', target: '/plants', headers: [], body: undefined };
  const response = { status: 500, headers: [], body: new Uint8Array() };
  const exchange = { request, answer: { kind: 'response', response } } as const;
  const checksOf = (of: Parameters<typeof judgeExchange>[0]) =>
    judgeExchange(of, { contract, extensions: [extension] })?.findings.map(({ check }) => check);
  expect(checksOf(exchange)).toEqual(['server-error', 'x-request-id']);
  expect(checksOf({ ...exchange, request: { ...request, target: '/unknown' } })).toBeUndefined();
});

test.each<[string, Extension, string]>([
  [
    'a check twice',
    { checks: [requestId, requestId] },
    'register the check "x-request-id": another check has',
  ],
  ['a suite twice', { suites: [reads, reads] }, 'register the suite "reads": another suite has this id'],
  [
    'a check without the prefix',
    // `as`: JavaScript has no compiler that asks for the prefix.
    { checks: [{ ...requestId, id: 'request-id' as 'x-request-id' }] },
    'the id of a check of your own starts with "x-"',
  ],
  [
    'a known format',
    { formats: { email: { test: () => true, examples: ['a'] } } },
    'register the format "email": a format of this name is already known',
  ],
])('refuses %s', async (_name, wrong, message) => {
  await expect(run([wrong])).rejects.toThrow(message);
});
