import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { recordedContract as contract } from '../../fixtures/judge-recording.ts';
import type { HeaderList } from '../http/message.ts';
import { createPolicy, type Policy, enforcedQuestions } from '../policy/policy.ts';
import type { TrafficEvent, TrafficResult } from '../events/events.ts';
import { TrafficJudge } from './judge-traffic.ts';
import type { Traffic } from './traffic.ts';

const token = 'good-token-of-the-garden';
const json = ['content-type', 'application/json'] as const;

/** What passed, one a line; a request without a body of its own is a plain create of its own key. */
interface Passed {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: HeaderList;
  readonly body?: string;
  readonly status?: number;
  readonly answer?: string;
  readonly answerHeaders?: HeaderList;
  readonly sideBySide?: boolean;
  readonly hidden?: boolean;
  /** What came in the place of a response. */
  readonly received?: string;
}

function toTraffic(passed: Passed, index: number): Traffic {
  const body = passed.body ?? `{"id":${1_000 + index},"name":"Basil"}`;
  const status = passed.status ?? 200;
  const answer = passed.answer ?? (status < 300 ? '{"name":"Basil"}' : `{"error":${status},"message":"no"}`);
  return {
    number: index + 1,
    exchange: {
      request: {
        method: passed.method ?? 'POST',
        target: passed.target ?? '/plants',
        headers: [json, ...(passed.headers ?? [['Authorization', `Bearer ${token}`] as const])],
        body: body === '' ? undefined : Buffer.from(body),
      },
      answer:
        passed.received !== undefined
          ? { kind: 'dropped', reason: 'it was closed', received: Buffer.from(passed.received) }
          : {
              kind: 'response',
              response: {
                status,
                headers: [json, ...(passed.answerHeaders ?? [])],
                body: Buffer.from(answer),
              },
            },
      durationMs: 10,
    },
    startedAt: 100 * index,
    isBesideChange: passed.sideBySide ?? false,
    mayHideCredentials: passed.hidden ?? false,
    unjudged: undefined,
  };
}

function judge(
  all: readonly Passed[],
  {
    given = {},
    tokens = [],
    emit = () => undefined,
  }: {
    readonly given?: Partial<Policy>;
    readonly tokens?: readonly string[];
    readonly emit?: (event: TrafficEvent) => void;
  } = {},
): TrafficResult {
  const traffic = new TrafficJudge({
    contract,
    target: 'http://127.0.0.1:8080',
    from: 'a test',
    policy: createPolicy(given),
    enforced: enforcedQuestions(given),
    echo: 'violation',
    tokens,
    emit,
  });
  all.map(toTraffic).forEach((one) => traffic.read(one));
  return traffic.end();
}

const found = (result: TrafficResult): readonly string[] =>
  result.findings.map(({ finding, count }) => `${finding.level} ${finding.check} ${count}×`);

test('groups findings by cause, and shows the smallest exchange of each, with where it was seen', () => {
  const result = judge([
    {},
    { status: 500, body: '{"id":7,"name":"Basil, which is sweet"}' },
    { status: 500, body: '{"id":8,"name":"Basil"}' },
    { status: 500, body: '{"id":9,"name":"Basil, sweet"}' },
  ]);
  expect(found(result)).toEqual(['violation server-error 3×']);
  const [finding] = result.findings;
  expect(finding?.seenAt).toEqual({ first: 'exchange 2', last: 'exchange 4', example: 'exchange 3' });
  expect(new TextDecoder().decode(finding?.requests[0]?.body)).toBe('{"id":8,"name":"Basil"}');
});

test('holds nothing against a token that is let in here and turned away there', () => {
  const headers = [['Authorization', 'Bearer somebody-elses']] as const;
  const rejectedStatus = [401, 403].map((status) => ({ headers, status }));
  expect(found(judge([{ headers }, ...rejectedStatus, { status: 401 }], { tokens: [token] }))).toEqual([
    'warning www-authenticate 2×',
  ]);
});

test('finds requests that are let in without credentials, where nothing else says who they are', () => {
  expect(found(judge([{ headers: [] }]))).toEqual(['violation credentials-ignored 1×']);
  expect(found(judge([{ headers: [['Authorization', 'Bearer']] }]))).toEqual([
    'violation credentials-ignored 1×',
  ]);
  expect(found(judge([{ headers: [], hidden: true }]))).toEqual([]);
  expect(found(judge([{ headers: [['Cookie', 'session=1']] }]))).toEqual([]);
});

test('finds a token that should not be good only where it was told all that are', () => {
  const traffic = [{ headers: [['Authorization', 'Bearer another-token']] as const }];
  expect(found(judge(traffic, { tokens: [token] }))).toEqual([]);
  expect(found(judge(traffic, { tokens: [token], given: { 'accepted-tokens': 'listed' } }))).toEqual([
    'violation credentials-ignored 1×',
  ]);
});

test('does not take another success for a fault where it may be the answer to a key that existed', () => {
  expect(found(judge([{ status: 201 }, { status: 201 }]))).toEqual(['violation undeclared-status 2×']);
  expect(found(judge([{ status: 201 }, { status: 200 }]))).toEqual([]);
});

test('takes what may come of what is stored for a note', () => {
  const result = judge([{}, { status: 409 }, { status: 422 }, { status: 302 }]);
  expect(found(result)).toEqual([]);
  expect(result.notes.map(({ finding }) => finding.received)).toContain('409 application/json');
});

test('takes 422 for what it says of a broken body, more surely where there is no key in it', () => {
  const known = { tokens: [token] };
  const keyless = { body: '{"name":"Basil"}', status: 422 };
  const keyed = { body: '{"id":1}', status: 422 };
  expect(found(judge([{}, keyed], known))).toEqual(['warning undeclared-status 1×']);
  expect(found(judge([{}, keyed, keyless], known))).toEqual(['violation undeclared-status 2×']);
  expect(found(judge([{}, { body: '{"id":', status: 422 }], known))).toEqual([
    'violation undeclared-status 1×',
  ]);
});

test('does not blame how a scheme is spelled for what may come of what is stored', () => {
  const spelled = { status: 409, headers: [['Authorization', `bearer ${token}`]] as const };
  expect(found(judge([{}, spelled], { tokens: [token] }))).toEqual([]);
});

const repeated = { body: '{"id":1,"name":"Basil"}' };

test('notices how a repeated key is answered, and that it is not as it was told', () => {
  const seen = judge([repeated, { ...repeated, status: 409 }]);
  expect(found(seen)).toEqual([]);
  expect(seen.notes.map(({ finding }) => finding.check)).toContain('duplicate-key');
  const enforced = { given: { 'duplicate-key': 'refuse' as const } };
  expect(found(judge([repeated, { ...repeated, status: 409 }], enforced))).toEqual(['violation drift 1×']);
  expect(found(judge([repeated, { ...repeated, status: 409, sideBySide: true }], enforced))).toEqual([]);
  // Another body may be turned away for its values.
  const other = { body: '{"id":1,"name":"Mint"}', status: 409 };
  expect(found(judge([repeated, other], enforced))).toEqual([]);
});

test('judges an echo only where an accepted key is known to have been free', () => {
  const traffic = [{ answer: '{"name":"basil"}' }];
  expect(found(judge(traffic))).toEqual([]);
  expect(found(judge(traffic, { given: { 'duplicate-key': 'conflict' } }))).toEqual(['violation echo 1×']);
  expect(
    found(judge([{ ...traffic[0], sideBySide: true }], { given: { 'duplicate-key': 'conflict' } })),
  ).toEqual([]);
});

test('counts what it cannot judge, by the reason', () => {
  const conditional = [['If-None-Match', '"a"']] as const;
  const result = judge([
    { target: '/elsewhere', status: 500 },
    { target: '/elsewhere/too' },
    { status: 503 },
    { status: 101 },
    { status: 304, headers: conditional, answer: '' },
  ]);
  expect(result.judged).toBe(0);
  expect(result.unjudged.map(({ reason, count, first }) => [reason, count, first])).toEqual([
    ['its path is not in the document', 2, 'exchange 1'],
    ['the service put it off (408, 425, 429 or 503)', 1, 'exchange 3'],
    ['the connection became one of another protocol', 1, 'exchange 4'],
    ['the answer is about a copy that the client has (304), or the request conditional', 1, 'exchange 5'],
  ]);
});

test('shows no credential to any report, wherever it stands again in its exchange', () => {
  const events: TrafficEvent[] = [];
  const secrets = [token, 'cookie-of-the-user', 'key-in-the-query', 'cookie-that-is-set'];
  judge(
    [
      {
        target: `/plants?api_key=${secrets[2]}&page=1`,
        headers: [
          ['Authorization', `Bearer ${token}`],
          ['Cookie', `session=${secrets[1]}`],
        ],
        answer: `{"name":"${token}"}`,
        answerHeaders: [['Set-Cookie', `session=${secrets[3]}; HttpOnly`]],
        status: 500,
      },
      { target: `/elsewhere?token=${secrets[2]}`, headers: [['x-api-key', token]] },
      { received: `HTTP/1.1 200 OK\r\nSet-Cookie: session=${secrets[3]}\r\n\r\n{"name":"${token}"` },
    ],
    { emit: (event) => events.push(event) },
  );
  const bytesAsText = (_: string, value: unknown): unknown =>
    value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
  const text = events
    .filter(({ kind }) => kind !== 'traffic-started')
    .map((event) =>
      'judged' in event ? event.judged.exchange : 'exchange' in event ? event.exchange : undefined,
    )
    .concat(
      events
        .flatMap((event) => (event.kind === 'traffic-finished' ? event.result.findings : []))
        .map(({ exchange, requests }) => ({ ...exchange.exchange, requests })),
    )
    .map((part) => JSON.stringify(part, bytesAsText))
    .join('\n');
  expect(text).toContain('Bearer [secret]');
  expect(text).toContain('session=[secret]; HttpOnly');
  expect(text).toContain('?api_key=[secret]&page=1');
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test('judges paths with the prefix of a server, and without it', () => {
  const prefixed = contractOf({
    servers: [{ url: 'https://api.example/api/v2' }],
    paths: { '/things': { get: { operationId: 'list', responses: { '200': { description: '' } } } } },
  });
  const open = () =>
    new TrafficJudge({
      contract: prefixed,
      target: 'http://127.0.0.1:8080',
      from: 'tests',
      policy: createPolicy({}),
      enforced: new Set(),
      echo: undefined,
      tokens: [],
      emit: () => undefined,
    });
  const traffic = open();
  const targets = ['/things', '/api/v2/things?a=1', '/api/v3/things'];
  targets.forEach((target, index) =>
    traffic.read(toTraffic({ method: 'GET', target, body: '', status: 418 }, index)),
  );
  const { judged, unjudged, findings } = traffic.end();
  expect([judged, unjudged.map(({ count }) => count)]).toEqual([2, [1]]);
  expect(findings.map(({ requests }) => requests.at(-1)?.target)).toEqual(['/things']);

  const alone = open();
  alone.read(toTraffic({ method: 'GET', target: '/api/v2/things', body: '', status: 418 }, 0));
  expect(alone.end().findings.map(({ requests }) => requests.at(-1)?.target)).toEqual(['/api/v2/things']);
});
