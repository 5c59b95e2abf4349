import { expect, test } from 'vitest';
import { createCheckContext } from '../../fixtures/create-check-context.ts';
import { type LifeCycleLine, lifeCycleTrace, taskContract } from '../../fixtures/life-cycle-trace.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import { redacted } from '../http/redact.ts';
import { createItemJudge } from './items.ts';

const contract = taskContract();
const context = createCheckContext(contract);

/** What exchanges show, each with how many of them it takes; a line that begins with ∥ was under way beside a change. */
function follow(lines: readonly LifeCycleLine[], forgetBefore?: number): readonly string[] {
  const { judge, forget } = createItemJudge(context);
  const trace = lifeCycleTrace(
    contract,
    lines.map((line) => line.replace(/^∥ /u, '')),
  );
  return trace.flatMap((judged, index) => {
    if (index === forgetBefore) forget();
    return judge(judged, { isBesideChange: lines[index]?.startsWith('∥') === true }).map(
      ({ finding: { level, check, cause }, shownBy }) => `${level} ${check}: ${cause} (${shownBy.length})`,
    );
  });
}

const create = 'POST /tasks {"title":"tea"} > 201 {"id":7,"title":"tea"}';

test.each([
  [
    'more items than were asked for',
    'GET /tasks?limit=1 > 200 [{"id":1,"title":"a"},{"id":2,"title":"b"}]',
    'violation limit-ignored: limit ignored (1)',
  ],
  [
    'an item that was filtered out',
    'GET /tasks?state=open > 200 [{"id":1,"title":"a","state":"done"}]',
    'violation filter-ignored: state ignored (1)',
  ],
  [
    'what is for requests alone',
    'GET /tasks/1 > 200 {"id":1,"title":"a","secret":"hunter2"}',
    'violation write-only-shown: secret (1)',
  ],
  [
    'a Location of another item',
    'POST /tasks {"title":"tea"} > 201 [Location: /tasks/8] {"id":7,"title":"tea"}',
    'violation location: another item (1)',
  ],
])('one answer shows %s, whoever else writes', (_what, line, found) => {
  expect(follow([line])).toEqual([found]);
  expect(follow([`∥ ${line}`])).toEqual([found]);
});

test.each([
  [
    'a read that does not show what was written',
    [create, 'GET /tasks/7 > 200 {"id":7,"title":"jam"}'],
    'warning read-after-write: title changed (2)',
  ],
  ['an item that is not there', [create, 'GET /tasks/7 > 404'], 'warning created-not-found: not found (2)'],
  [
    'a list that lacks it',
    [create, 'GET /tasks?limit=50 > 200 []'],
    'warning list-lacks: an item is missing (2)',
  ],
  [
    'an item that was deleted',
    [create, 'DELETE /tasks/7 > 204', 'GET /tasks/7 > 200 {"id":7,"title":"tea"}'],
    'warning deleted-still-there: read (3)',
  ],
])(
  'what takes several requests is a warning, as somebody else may have sent one: %s',
  (_what, lines, found) => {
    expect(follow(lines)).toEqual([found]);
  },
);

test('nothing is concluded of an item that was there before', () => {
  expect(follow(['PUT /tasks/7 {"title":"tea"} > 200 {"id":7,"title":"tea"}', 'GET /tasks/7 > 404'])).toEqual(
    [],
  );
});

test('nothing is concluded of the order of requests that overlap', () => {
  const put = 'PUT /tasks/7 {"title":"jam"} > 200 {"id":7,"title":"jam"}';
  const read = 'GET /tasks/7 > 200 {"id":7,"title":"tea"}';
  expect(follow([create, put, read])).toEqual(['warning read-after-write: title as it was before (3)']);
  expect(follow([create, put, `∥ ${read}`])).toEqual([]);
  expect(follow([create, `∥ ${put}`, read])).toEqual([]);
  expect(follow([`∥ ${create}`, put, 'GET /tasks/7 > 404'])).toEqual([]);
});

test('nothing is concluded of what was there before a change that nobody could read', () => {
  expect(follow([create, 'GET /tasks/7 > 404'], 1)).toEqual([]);
});

test('nothing takes several requests where nobody knows whether one client sent them', () => {
  const { judge } = createItemJudge(context);
  const hidden = lifeCycleTrace(contract, [create, 'GET /tasks/7 > 404']).map((judged): CheckedExchange => {
    const { exchange } = judged;
    const headers = [...exchange.request.headers, ['Authorization', `Bearer ${redacted}`] as const];
    return { ...judged, exchange: { ...exchange, request: { ...exchange.request, headers } } };
  });
  expect(hidden.flatMap((each) => judge(each, { isBesideChange: false }))).toEqual([]);
});

test('a client that sends back what the service made is no client that set it', () => {
  const made = '{"id":7,"title":"tea","createdAt":"2001-02-03T04:05:06Z"}';
  const sent = '{"title":"tea","createdAt":"2001-02-03T04:05:06Z"}';
  expect(follow([`PUT /tasks/7 ${sent} > 200 ${made}`, `GET /tasks/7 > 200 ${made}`])).toEqual([]);
  // Who creates cannot know it, but may have worked out the same.
  expect(follow([`POST /tasks ${sent} > 201 [Date: Mon, 23 Nov 2026 08:00:00 GMT] ${made}`])).toEqual([
    'warning read-only-written: createdAt (1)',
  ]);
});

test('what was seen a thousand exchanges ago is forgotten', () => {
  const others = Array.from({ length: 1_000 }, () => 'GET /projects/1 > 404');
  expect(follow([create, ...others, 'GET /tasks/7 > 404'])).toEqual([]);
});
