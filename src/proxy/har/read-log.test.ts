import { expect, test } from 'vitest';
import { readRecording } from './read-log.ts';

const request = { headers: [['Host', 'API.example:8080']], bytes: 0 };
const response = { headers: [['Content-Type', 'application/json']], bytes: 2, body: '{}' };
const line = {
  id: 1,
  time: '2026-01-01T00:00:00.000Z',
  method: 'GET',
  target: '/orders?key=***',
  status: 200,
  durationMs: 1.5,
  verdict: 'accepted',
  request,
  response,
};

function read(...lines: readonly unknown[]): ReturnType<typeof readRecording> {
  const text = lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
  return readRecording(new TextEncoder().encode(text), 'a.ndjson');
}

test('reads a line as an exchange of the mock that its first client named', () => {
  const [first, second] = read(line, '', { ...line, id: 2, request: { headers: [], bytes: 1, body: 'é' } });
  expect(first).toEqual({
    place: 'line 1 of a.ndjson',
    origin: 'http://api.example:8080',
    startedAt: Date.parse(line.time),
    unjudged: undefined,
    exchange: {
      request: {
        method: 'GET',
        target: '/orders?key=[secret]',
        headers: [['Host', 'API.example:8080']],
        body: undefined,
      },
      answer: {
        kind: 'response',
        response: {
          status: 200,
          headers: [['Content-Type', 'application/json']],
          body: new TextEncoder().encode('{}'),
        },
      },
      durationMs: 1.5,
    },
  });
  expect(second).toMatchObject({ place: 'line 3 of a.ndjson', origin: 'http://api.example:8080' });
});

test.each([
  [{ status: 0 }, 'no answer was recorded'],
  [{ method: '-', target: '-' }, 'its request is not HTTP'],
  [{ verdict: 'forced' }, 'a fault or a preference of the request decided its answer'],
  [
    { request: { ...request, bytes: 9, missing: 'not-read' } },
    'the content of its request is not in the file',
  ],
  [{ request: { ...request, missing: 'not-read' } }, 'the content of its request is not in the file'],
  [{ response: { headers: [], bytes: 3 } }, 'the content of its answer is not in the file'],
  [{ response: undefined }, 'its header fields are not in the file'],
])('does not judge a line with %j', (members, reason) => {
  expect(read({ ...line, ...members }).map(({ unjudged }) => unjudged)).toEqual([reason]);
});

test.each([
  [['{"id":1,', line], /"a\.ndjson:\d+:\d+": /u],
  [[line, '{"id":2,'], /"a\.ndjson:2:\d+": .*Each line must be one JSON text/u],
  [[line, { id: 2 }], /"a\.ndjson:2": it is no line of a request log/u],
  [[{ ...line, request: undefined, response: undefined }], /"a\.ndjson": its lines have neither/u],
  [['[]'], /"a\.ndjson": it has no list log\.entries/u],
  [
    [{ info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' }, item: [] }],
    /"a\.ndjson": it is a Postman collection, which Cloche does not read\. Send its requests through cloche proxy/u,
  ],
])('refuses %j', (lines, message) => {
  expect(() => read(...lines)).toThrow(message);
});

test('reads a HAR file in one line whose texts quote a log', () => {
  const entry = { request: { method: 'GET', url: 'http://a/' }, comment: JSON.stringify(line) };
  expect(read({ log: { entries: [entry] } })).toMatchObject([{ place: 'entry 1 of a.ndjson' }]);
});
