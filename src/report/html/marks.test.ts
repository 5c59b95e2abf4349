import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import type { Boundary } from '../../check/boundary.ts';
import { judgeExchange } from '../../check/judge.ts';
import { loadContract } from '../../contract/load.ts';
import { createRouter } from '../../contract/router.ts';
import type { Answer, HeaderList } from '../../http/message.ts';
import type { TextRange } from '../../json/locate.ts';
import { markDifference, markExchange, type MessageMarks } from './marks.ts';

function differ(sent: string, received: string): readonly [readonly string[], readonly string[]] {
  const marked = markDifference({ sent, received });
  return [
    marked.sent.map(({ start, end }) => sent.slice(start, end)),
    marked.received.map(({ start, end }) => received.slice(start, end)),
  ];
}

test.each([
  ['characters that differ', '"Basil"', '"Bosil"', ['a'], ['o']],
  ['escapes for what they stand for', String.raw`"caf\u00e9s"`, '"cafes"', [String.raw`\u00e9`], ['e']],
  ['no escape that differs only in its spelling', String.raw`"\u0041bc"`, '"Abd"', ['c'], ['d']],
  ['a pair of surrogates as one', String.raw`"\ud83c\udf31x"`, '"?x"', [String.raw`\ud83c\udf31`], ['?']],
  ['what was trimmed', '" Basil  "', '"Basil"', [' ', '  '], ['"Basil"']],
  ['what was cut off', '"Basil"', '"Ba"', ['sil'], ['"Ba"']],
  ['what was put around', '"\u{1F331}"', '"<\u{1F331}>"', ['"\u{1F331}"'], ['<', '>']],
  ['repeated characters', '"aaa"', '"aa"', ['a'], ['"aa"']],
  ['all of what became empty', '"a"', '""', ['a'], ['""']],
  ['all of other values', '7', '"7"', ['7'], ['"7"']],
])('marks %s', (_, sent, received, left, right) => {
  expect(differ(sent, received)).toEqual([left, right]);
});

const contract = await loadContract(undefined, { followReferences: false });
const route = createRouter(contract);
const plain = '{"id":17,"name":"Basil"}';

interface Case {
  readonly check: string;
  readonly sent?: string;
  readonly headers?: HeaderList;
  readonly status?: number;
  readonly received?: string;
  readonly answerHeaders?: HeaderList;
  readonly boundary?: Boundary;
}

/** A message with what is marked in it, in words. */
function show({ start, headers, missing, body }: MessageMarks, text: string): readonly string[] {
  return [
    ...(start === true ? ['start'] : []),
    ...(headers ?? []),
    ...(missing ?? []).map((name) => `no ${name}`),
    ...(body ?? []).map((range: TextRange) => `“${text.slice(range.start, range.end)}”`),
  ];
}

/** Judges an exchange as a run does, and marks what a check found in it. */
function mark(input: Case): readonly [request: readonly string[], answer: readonly string[]] {
  const { check, sent = plain, status = 200, received = '{"name":"Basil"}' } = input;
  const answer: Answer = {
    kind: 'response',
    response: {
      status,
      headers: input.answerHeaders ?? [['Content-Type', 'application/json']],
      body: Buffer.from(received),
    },
  };
  const request = {
    method: 'POST',
    target: '/plants',
    headers: input.headers ?? [
      ['Authorization', 'Bearer good-token'],
      ['Content-Type', 'application/json'],
    ],
    body: Buffer.from(sent),
  };
  const judged = judgeExchange({
    exchange: { request, answer, durationMs: 1 },
    route: route('/plants'),
    framing: 'content-length',
    keyState: () => 'allocated',
    context: createCheckContext(contract, {
      echo: 'violation',
      goodTokens: ['good-token'],
      longestPlainBody: 100,
      wasSent: () => true,
    }),
  });
  const finding = judged.findings.find((found) => found.check === check);
  if (finding === undefined) {
    throw new Error(`there is no ${check}, only ${judged.findings.map((found) => found.check).join(', ')}`);
  }
  const marks = markExchange(
    {
      id: 'an-id',
      finding: input.boundary === undefined ? finding : { ...finding, boundary: input.boundary },
      exchange: judged,
      requests: [request],
      count: 1,
    },
    { sent, received },
  );
  return [show(marks.request, sent), show(marks.answer, received)];
}

const withoutToken: HeaderList = [['Content-Type', 'application/json']];

test.each<[string, Case, request: readonly string[], answer: readonly string[]]>([
  ['the status of a plain failure', { check: 'server-error', status: 500 }, [], ['start']],
  [
    'the value that brings a failure about',
    { check: 'server-error', status: 500, sent: '{"id":17,"name":"Bäsil"}' },
    ['“"name":"Bäsil"”'],
    ['start'],
  ],
  [
    'the text that is no JSON',
    { check: 'server-error', status: 500, sent: '{"id":17,\n"name" "Basil"}' },
    ['“"”'],
    ['start'],
  ],
  [
    'the end of a text that ends too early',
    { check: 'malformed-body-accepted', sent: '{"id":17' },
    ['“”'],
    ['start'],
  ],
  [
    'the value that breaks the schema of an answer',
    { check: 'response-schema', received: '{"name":"Basil","tag":null}' },
    [],
    ['“null”'],
  ],
  [
    'the ends of the object that lacks something',
    { check: 'response-schema', received: '{"id":17}' },
    [],
    ['“{”', '“}”'],
  ],
  [
    'the characters that came back otherwise',
    { check: 'echo', received: '{"name":"basil"}' },
    ['“B”'],
    ['“b”'],
  ],
  [
    'what did not come back',
    { check: 'echo', sent: '{"id":17,"name":"Basil","tag":"herb"}' },
    ['“"tag":"herb"”'],
    [],
  ],
  ['what keeps an answer from being JSON', { check: 'response-json', received: '{"name":NaN}' }, [], ['“N”']],
  [
    'a value that should not have been accepted',
    { check: 'invalid-body-accepted', sent: '{"id":"17","name":"Basil"}' },
    ['“"17"”'],
    ['start'],
  ],
  [
    'a media type that the document does not declare',
    { check: 'response-media-type', answerHeaders: [['content-type', 'text/plain']] },
    [],
    ['content-type'],
  ],
  [
    'a media type that is missing',
    { check: 'response-media-type', answerHeaders: [] },
    [],
    ['no Content-Type'],
  ],
  [
    'credentials that are missing',
    { check: 'credentials-ignored', headers: withoutToken },
    ['no Authorization'],
    ['start'],
  ],
  [
    'credentials that are not good',
    { check: 'credentials-ignored', headers: [['authorization', 'Basic x'], ...withoutToken] },
    ['authorization'],
    ['start'],
  ],
  [
    'the challenge that is missing',
    {
      check: 'www-authenticate',
      status: 401,
      headers: withoutToken,
      received: '{"error":401,"message":"no"}',
    },
    [],
    ['no WWW-Authenticate'],
  ],
  [
    'the text of another request',
    { check: 'cross-talk', received: '{"name":"Basil","tag":"qzkvXWjtpmqhdrbf"}' },
    [],
    ['“"qzkvXWjtpmqhdrbf"”'],
  ],
  [
    'the value past a boundary, though it is not odd by itself',
    {
      check: 'undeclared-constraint',
      status: 400,
      received: '{"error":400,"message":"no"}',
      boundary: { what: 'value', place: '/id', accepted: '16', refused: '17' },
    },
    ['“"id":17”'],
    ['start'],
  ],
  [
    'the value that was refused',
    {
      check: 'undeclared-constraint',
      status: 400,
      sent: `{"id":17,"name":"${'x'.repeat(300)}"}`,
      received: '{"error":400,"message":"too long"}',
    },
    [`“"name":"${'x'.repeat(300)}"”`],
    ['start'],
  ],
])('marks %s', (_, input, request, answer) => {
  expect(mark(input)).toEqual([request, answer]);
});
