import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { contractOf } from '../../../fixtures/contract-of.ts';
import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load.ts';
import { createRouter } from '../../contract/router.ts';
import type { HeaderList } from '../../http/message.ts';
import type { JsonObject } from '../../json/value.ts';
import { createPolicy, everyBehaviour, type Policy } from '../../policy/policy.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import type { Finding } from '../finding.ts';
import { judgeExchange } from '../judge.ts';
import type { CheckContext, ClassifiedRequest } from '../classify/subject.ts';

const plantStore = await loadContract(undefined, { followReferences: false });
const utf8 = new TextEncoder();

interface Case {
  /** `null` is none. */
  readonly authorization?: string | null;
  readonly method?: string;
  readonly target?: string;
  /** `null` is none. */
  readonly contentType?: string | null;
  readonly headers?: HeaderList;
  readonly body?: string;
  readonly key?: ClassifiedRequest['key'];
  readonly status: number;
  readonly answer?: string;
  readonly policy?: Partial<Policy>;
  readonly enforced?: readonly BehaviourId[];
  readonly context?: Partial<CheckContext>;
  /** The Plant Store's where it is left out. */
  readonly contract?: Contract;
}

const own = { status: 401, body: 'other' } as const;
const plain = '{"id":17,"name":"Basil"}';
const broken = '{"id":17}';
const long = JSON.stringify({ id: 17, name: 'a'.repeat(300) });
const refusal = (code: number): string => JSON.stringify({ error: code, message: 'no' });

/** Judges an exchange of a run that is told every answer, unless the case says otherwise. */
function judge(input: Case): readonly Finding[] {
  const { authorization = 'Bearer good', status, policy, enforced, context, contract = plantStore } = input;
  return judgeExchange({
    exchange: {
      request: {
        method: input.method ?? 'POST',
        target: input.target ?? '/plants',
        headers: [
          ...(authorization === null ? [] : [['Authorization', authorization] as const]),
          ...(input.contentType === null
            ? []
            : [['Content-Type', input.contentType ?? 'application/json'] as const]),
          ...(input.headers ?? []),
        ],
        body: utf8.encode(input.body ?? plain),
      },
      answer: {
        kind: 'response',
        response: {
          status,
          headers: [['Content-Type', 'application/json']],
          body: utf8.encode(input.answer ?? (status < 300 ? '{"name":"Basil"}' : refusal(status))),
        },
      },
      durationMs: 1,
    },
    route: createRouter(contract)(input.target ?? '/plants'),
    framing: 'content-length',
    keyState: () => input.key ?? 'allocated',
    context: createCheckContext(contract, {
      goodTokens: ['good'],
      policy: createPolicy({ 'accepted-tokens': 'listed', ...policy }),
      enforced: enforced === undefined ? everyBehaviour : new Set(enforced),
      ...context,
    }),
  }).findings;
}

/** The question that an exchange drifts from. */
function driftOf(input: Case): BehaviourId | undefined {
  const drift = judge(input).find(({ check }) => check === 'drift');
  return drift?.clause.kind === 'policy' ? drift.clause.question : undefined;
}

/** What is found but for notes. */
function checksOf(input: Case): readonly string[] {
  return judge(input).flatMap(({ check, level }) => (level === 'note' ? [] : [check]));
}

test.each<[BehaviourId, string, Case]>([
  ['missing-credentials', 'another status', { authorization: null, status: 403 }],
  ['invalid-credentials', 'another status', { authorization: 'Bearer bad', status: 403 }],
  [
    'missing-credentials',
    'JSON that is no error of the document',
    { authorization: null, status: 401, answer: '{"error":"unauthorized"}' },
  ],
  [
    'missing-credentials',
    'the error of the document where none is told',
    { authorization: null, status: 401, policy: { 'missing-credentials': { status: 401, body: 'empty' } } },
  ],
  [
    'invalid-credentials',
    'no body where there is one of its own',
    { authorization: 'Bearer bad', status: 401, answer: '', policy: { 'invalid-credentials': own } },
  ],
  [
    'invalid-credentials',
    'another status with a body of its own',
    {
      authorization: 'Bearer bad',
      status: 403,
      answer: '{"error":"forbidden"}',
      policy: { 'invalid-credentials': own },
    },
  ],
  [
    'accepted-tokens',
    'a token turned away where any is good',
    { authorization: 'Bearer bad', status: 401, policy: { 'accepted-tokens': 'any' } },
  ],
  ['auth-order', 'a body refused before credentials are', { authorization: null, body: broken, status: 400 }],
  [
    'auth-order',
    'credentials refused before the body is',
    { authorization: null, body: broken, status: 401, policy: { 'auth-order': 'after' } },
  ],
  ['error-codes', 'a number of its own', { body: broken, status: 400, answer: refusal(1002) }],
  ['error-codes', 'one beside others', { body: broken, status: 400, answer: '{"error":17,"count":3}' }],
  [
    'error-codes',
    'the status where a number is told',
    {
      body: broken,
      status: 400,
      policy: { 'error-codes': { 'invalid-body': 1002, 'malformed-body': 1001 } },
    },
  ],
  ['body-limit', '413 for a short body', { status: 413, answer: refusal(413) }],
  [
    'body-limit',
    'more bytes taken',
    {
      body: `${plain}${' '.repeat(2_000)}`,
      status: 200,
      policy: { 'body-limit': { bytes: 1_024, status: 413 } },
    },
  ],
  [
    'body-limit',
    'another status past the limit',
    {
      body: `${plain}${' '.repeat(2_000)}`,
      status: 400,
      policy: { 'body-limit': { bytes: 1_024, status: 413 } },
    },
  ],
  ['constraints', 'a long value refused where none is', { body: long, status: 400 }],
  [
    'constraints',
    'a value past its bound taken',
    { body: long, status: 200, answer: long, policy: { constraints: { name: { maxLength: 255 } } } },
  ],
  [
    'undeclared-properties',
    'refused where it is ignored',
    { body: '{"id":17,"name":"Basil","extra":1}', status: 400 },
  ],
  [
    'undeclared-properties',
    'shown where it is ignored',
    { body: '{"id":17,"name":"Basil","extra":1}', status: 200, answer: '{"name":"Basil","extra":1}' },
  ],
  [
    'undeclared-properties',
    'not shown where it is stored',
    {
      body: '{"id":17,"name":"Basil","extra":1}',
      status: 200,
      policy: { 'undeclared-properties': 'store' },
    },
  ],
  [
    'duplicate-keys-in-json',
    'the first counts where the last does',
    { body: '{"id":17,"name":"Basil","name":[]}', status: 200 },
  ],
  [
    'duplicate-keys-in-json',
    'the answer shows the first where the last counts',
    { body: '{"id":17,"name":"Basil","name":"Thyme"}', status: 200 },
  ],
  [
    'echo',
    'what was sent where nothing is',
    {
      body: '{"id":17,"name":"qwErtYuiOp"}',
      status: 200,
      answer: '{"name":"qwErtYuiOp"}',
      policy: { echo: 'none' },
    },
  ],
  ['response-extras', 'the key where nothing more is', { status: 200, answer: '{"name":"Basil","id":17}' }],
  ['response-extras', 'nothing more where the key is', { status: 200, policy: { 'response-extras': 'id' } }],
  [
    'accept',
    'the declared media type where another was asked for',
    { headers: [['Accept', 'text/html']], status: 200, policy: { accept: 406 } },
  ],
  ['rate-limit', '429 where nobody is put off', { status: 429 }],
  ['other-operations', 'another status for another path', { method: 'GET', target: '/other', status: 403 }],
])('finds drift from %s: %s', (question, _title, input) => {
  expect(driftOf(input)).toBe(question);
});

test.each<[string, Case]>([
  ['what was not told', { authorization: null, status: 403, enforced: ['accept'] }],
  ['a token put off by a guard against guessing', { authorization: 'Bearer bad', status: 429 }],
  ['a server error', { authorization: null, status: 500 }],
  [
    'the order of checks where both refuse alike',
    {
      authorization: null,
      body: broken,
      status: 400,
      policy: { 'missing-credentials': { status: 400, body: 'error' } },
    },
  ],
  ['a body that is no JSON read before credentials', { authorization: null, body: '{', status: 400 }],
  [
    'a media type looked at before credentials',
    { authorization: null, contentType: 'text/plain', status: 415 },
  ],
  [
    'bad credentials after all where the order is not told',
    { authorization: null, body: broken, status: 400, enforced: ['missing-credentials'] },
  ],
  [
    'a body of its own that is another than before',
    {
      authorization: null,
      status: 401,
      answer: '{"detail":"no"}',
      policy: { 'missing-credentials': own },
    },
  ],
  [
    'an error of the document where a body of its own is told',
    { authorization: null, status: 401, policy: { 'missing-credentials': own } },
  ],
  [
    'a code where two things are wrong',
    { authorization: 'Bearer bad', body: broken, status: 401, answer: refusal(7) },
  ],
  [
    'a code that the policy gives to a text that cannot be read',
    {
      body: broken,
      status: 400,
      answer: refusal(1001),
      policy: { 'error-codes': { 'malformed-body': 1001 } },
    },
  ],
  [
    'a refusal while equal bodies may not be accepted twice',
    { body: long, status: 400, context: { acceptsEqual: new Set<string>() } },
  ],
  [
    'characters that are refused, which is a warning',
    { body: '{"id":17,"name":"B\\u0000sil"}', status: 400 },
  ],
  [
    'a value that has to be unique',
    { body: '{"id":17,"name":"Basil","extra":1}', status: 400, policy: { 'unique-properties': ['name'] } },
  ],
  [
    'an undeclared property beside a long text',
    { body: JSON.stringify({ id: 17, name: 'a'.repeat(300), extra: 1 }), status: 400 },
  ],
  ['a property that readers trip over', { body: '{"id":17,"name":"Basil","__proto__":1}', status: 400 }],
  ['a key that may exist', { body: '{"id":17.0,"name":"Basil"}', key: 'chosen', status: 400 }],
  [
    'an integer in another notation beside a long text',
    { body: JSON.stringify({ id: 17, name: 'a'.repeat(300) }).replace('17', '17.0'), status: 400 },
  ],
  [
    'the code of a body that is missing, where nothing says what it would be',
    {
      body: '',
      contentType: null,
      status: 400,
      answer: refusal(1003),
      policy: { 'error-codes': { 'missing-body': 1003 } },
    },
  ],
  [
    'the code of a text that cannot be read, where its media type is read anyway',
    {
      body: '{',
      contentType: 'text/plain',
      status: 400,
      answer: refusal(1001),
      policy: { 'unsupported-media-type': 'read', 'error-codes': { 'malformed-body': 1001 } },
    },
  ],
  ['an empty body under another media type', { body: '', contentType: 'text/plain', status: 411 }],
  [
    'an answer without content to an Accept that cannot be met, which is none of the answers',
    { headers: [['Accept', 'text/html']], status: 200, answer: '', policy: { accept: 406 } },
  ],
  ['an answer that happens to be what was sent', { status: 200, policy: { echo: 'none' } }],
  [
    'an undeclared property in the answer where it was sent',
    {
      body: '{"id":17,"name":"Basil","extra":1}',
      status: 200,
      answer: '{"name":"Basil","extra":1}',
      policy: { 'undeclared-properties': 'store' },
    },
  ],
  [
    'credentials that an undeclared path asks for',
    { method: 'GET', target: '/other', status: 401, answer: refusal(401) },
  ],
])('concludes nothing from %s', (_title, input) => {
  expect(driftOf(input)).toBeUndefined();
});

test('warns of no constraint beside the drift that it is', () => {
  expect(checksOf({ body: long, status: 400 })).toEqual(['drift']);
  expect(checksOf({ body: long, status: 400, enforced: [] })).toEqual(['undeclared-constraint']);
  const policy = { constraints: { name: { maxLength: 255 } } };
  expect(checksOf({ body: long, status: 400, policy })).toEqual([]);
});

test('takes no property of an item in an envelope for an undeclared one beside it', () => {
  const ofLamp = { lit: { type: 'boolean' }, size: { type: 'integer' } };
  const json = (properties: JsonObject): JsonObject => ({
    content: { 'application/json': { schema: { type: 'object', properties } } },
  });
  const answer = (properties: JsonObject): JsonObject => ({ 200: { description: '', ...json(properties) } });
  const contract = contractOf({
    paths: {
      '/lamps': {
        post: {
          operationId: 'addLamp',
          requestBody: json({ lamp: { type: 'object', properties: ofLamp }, note: { type: 'string' } }),
          responses: answer({}),
        },
      },
      '/lamps/{id}': { get: { responses: answer({ id: { type: 'integer' }, ...ofLamp }) } },
    },
  });
  const create = { contract, target: '/lamps', authorization: null, status: 200 };
  const sent = '{"lamp":{"lit":true,"size":1},"lit":true}';
  expect(driftOf({ ...create, body: sent, answer: '{"id":1,"lit":true,"size":1}' })).toBe(undefined);
  const other = sent.replace('"lit":true}', '"tall":true}');
  expect(driftOf({ ...create, body: other, answer: '{"id":1,"lit":true,"size":1,"tall":true}' })).toBe(
    'undeclared-properties',
  );
});
