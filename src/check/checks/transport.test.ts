import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { loadContract } from '../../contract/load.ts';
import { createRouter } from '../../contract/router.ts';
import type { Answer } from '../../http/message.ts';
import { readHttpResponse } from '../../http/parse-response.ts';
import { judgeExchange } from '../judge.ts';

const contract = await loadContract(undefined, { followReferences: false });
const route = createRouter(contract);

/** The answer that bytes amount to which came on a connection before the service closed it. */
function toAnswer(text: string, method: string): Answer {
  const received = Buffer.from(text, 'latin1');
  const reading = readHttpResponse({ bytes: received, method, ended: true });
  switch (reading.kind) {
    case 'response':
      return reading;
    case 'not-http':
      return { ...reading, received };
    case 'incomplete':
      return { kind: 'dropped', reason: 'closed', received };
  }
}

/** What is found, as `level check: cause`. */
function findings(text: string, { method = 'POST', bodyBytes = 2 } = {}): readonly string[] {
  const request = { method, target: '/plants', headers: [], body: Buffer.alloc(bodyBytes, ' ') };
  const judged = judgeExchange({
    exchange: { request, answer: toAnswer(text, method), durationMs: 1 },
    route: route('/plants'),
    framing: 'content-length',
    keyState: () => 'none',
    context: createCheckContext(contract, { longestPlainBody: 100 }),
  });
  return judged.findings
    .filter(({ level, check }) => level !== 'note' && check !== 'www-authenticate')
    .map(({ level, check, cause }) => `${level} ${check}: ${cause}`);
}

const rejectedStatus = 'HTTP/1.1 401 Unauthorized\r\n';
const chunked = `${rejectedStatus}Transfer-Encoding: chunked\r\n`;

test.each([
  ['content of its length', `${rejectedStatus}Content-Length: 2\r\n\r\nno`],
  ['two lengths alike', `${rejectedStatus}Content-Length: 2\r\nContent-Length: 2\r\n\r\nno`],
  ['empty lines after it', `${rejectedStatus}Content-Length: 2\r\n\r\nno\r\n\r\n`],
  ['content up to the end of the connection', 'HTTP/1.0 401 Unauthorized\r\n\r\nno'],
  ['chunks with extensions and trailers', `${chunked}\r\n2;a="b"\r\nno\r\n0\r\nA: b\r\n\r\n`],
  [
    'interim answers',
    `HTTP/1.1 100 C\r\n\r\nHTTP/1.1 103 E\r\nA: b\r\n\r\n${rejectedStatus}Content-Length: 0\r\n\r\n`,
  ],
  [
    'a complaint that no further request came',
    `${rejectedStatus}Content-Length: 2\r\n\r\nnoHTTP/1.1 408 Request Timeout\r\n\r\n`,
  ],
])('has nothing against %s', (_what, text) => {
  expect(findings(text)).toEqual([]);
});

test.each([
  ['HEAD with a length', 'HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'],
  ['HEAD with chunks', 'HEAD', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['OPTIONS with 204', 'OPTIONS', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['OPTIONS with a length of 0', 'OPTIONS', 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n'],
  ['GET with a switch of protocols', 'GET', 'HTTP/1.1 101 S\r\nUpgrade: h2c\r\n\r\nPRI * HTTP/2.0'],
])('has nothing against an answer to %s', (_what, method, text) => {
  expect(findings(text, { method })).toEqual([]);
});

test.each([
  ['violation content-length: too short', `${rejectedStatus}Content-Length: 1\r\n\r\nno`],
  ['violation content-length: too long', `${rejectedStatus}Content-Length: 3\r\n\r\nno`],
  ['violation content-length: invalid', `${rejectedStatus}Content-Length: 2\r\nContent-Length: 3\r\n\r\nno`],
  ['violation content-length: invalid', `${rejectedStatus}Content-Length: two\r\n\r\nno`],
  ['violation chunked-content: malformed', `${chunked}\r\nno`.concat('\r\n')],
  ['violation chunked-content: malformed', `${chunked}\r\n1\r\nno\r\n0\r\n\r\n`],
  ['violation chunked-content: cut short', `${chunked}\r\n2\r\nno\r\n`],
  ['violation bytes-after-answer: after the last chunk', `${chunked}\r\n2\r\nno\r\n0\r\n\r\n!`],
  [
    'violation bytes-after-answer: a second answer',
    `${rejectedStatus}Content-Length: 2\r\n\r\nnoHTTP/1.1 400 Bad\r\n\r\n`,
  ],
  ['violation status-range: 99', 'HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\nno'],
  ['violation status-range: 600', 'HTTP/1.1 600 Odd\r\nContent-Length: 2\r\n\r\nno'],
  ['warning transfer-encoding: both', `${chunked}Content-Length: 2\r\n\r\n2\r\nno\r\n0\r\n\r\n`],
])('finds %s, and nothing else, in %j', (finding, text) => {
  expect(findings(text)).toEqual([finding]);
});

test.each([
  ['HEAD', 'HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno'],
  ['HEAD', 'HEAD', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['204', 'OPTIONS', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nno'],
  ['304', 'GET', 'HTTP/1.1 304 Not Modified\r\n\r\nno'],
])('finds content that HTTP does not allow with %s, in an answer to %s', (cause, method, text) => {
  expect(findings(text, { method })).toEqual([`violation bodiless-status: ${cause}`]);
});

test.each([
  ['connection-dropped', 'HTTP/1.1 401 Unautho'],
  ['not-http', 'ERROR'],
])('leaves to %s what %j is', (check, text) => {
  expect(findings(text)).toEqual([expect.stringContaining(` ${check}: `)]);
});

test('lets an answer pass that broke off while a long body was being sent', () => {
  const text = `${rejectedStatus}Content-Length: 3\r\n\r\nno`;
  expect(findings(text, { bodyBytes: 2_000 })).toEqual([]);
});
