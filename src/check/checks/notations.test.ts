import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { loadContract } from '../../contract/load.ts';
import { createRouter } from '../../contract/router.ts';
import { judgeExchange } from '../judge.ts';

const document = fileURLToPath(new URL('../../../fixtures/documents/notations.yaml', import.meta.url));
const written = await loadContract(document, { followReferences: false });

const data = {
  type: 'string',
  contentMediaType: 'application/json',
  contentSchema: { type: 'object', required: ['parcel'] },
};
const itemSchema = { type: 'object', required: ['data'], properties: { data } };
const content = { 'text/event-stream': { itemSchema } };
const streams = contractOf({
  openapi: '3.2.0',
  paths: { '/moves': { get: { responses: { 200: { description: 'OK', content } } } } },
});

interface Message {
  readonly type: string;
  readonly body: string;
}

/** What the checks find in an exchange of the document with several notations. */
function judge(
  method: string,
  target: string,
  sent: Message | undefined,
  received: Message & { status: number },
): readonly unknown[] {
  const contract = target === '/moves' ? streams : written;
  const encoder = new TextEncoder();
  const { findings } = judgeExchange({
    exchange: {
      request: {
        method,
        target,
        headers: sent === undefined ? [] : [['Content-Type', sent.type]],
        body: sent && encoder.encode(sent.body),
      },
      answer: {
        kind: 'response',
        response: {
          status: received.status,
          headers: [['Content-Type', received.type]],
          body: encoder.encode(received.body),
        },
      },
      durationMs: 1,
    },
    route: createRouter(contract)(target),
    framing: 'content-length',
    keyState: () => 'none',
    context: createCheckContext(contract),
  });
  return findings.map(({ check, received: words }) => `${check}: ${words}`);
}

const parcel = (inside: string): string =>
  `<parcel id="1">${inside}<labels><label>a</label></labels></parcel>`;

test.each([
  ['application/xml', parcel('<kilograms>2</kilograms>'), []],
  [
    'application/xml',
    parcel('<kilograms>heavy</kilograms>'),
    ['response-schema: 200 with content that breaks its schema at /weight'],
  ],
  [
    'application/xml',
    parcel('<kilograms>2'),
    [
      'response-json: 200 with content that is not application/xml: Opening and ending tag mismatch: "kilograms" != "parcel" at line 1, column 43',
    ],
  ],
])('judges a parcel in %s: %s', (type, body, found) => {
  expect(judge('GET', '/parcels/1', undefined, { status: 200, type, body })).toEqual(found);
});

test.each([
  ['{"parcel":1}\n{"parcel":2,"city":"Rome"}\n', []],
  ['{"parcel":1}\n{"parcel":0}\n', ['response-schema: 200 with content that breaks its schema at /1/parcel']],
  [
    '{"parcel":1}\n{parcel}\n{"parcel":2}\n',
    [expect.stringMatching(/^response-json: 200 with content that is not application\/jsonl: line 2: /u)],
  ],
  // The client may have left before the rest.
  ['{"parcel":1}\n{"par', []],
])('judges lines of JSON: %j', (body, found) => {
  expect(judge('GET', '/scans', undefined, { status: 200, type: 'application/jsonl', body })).toEqual(found);
});

test.each([
  ['application/xml', '<parcel><kilograms>2</kilograms>', 'malformed-body-accepted'],
  ['application/xml', '<parcel><kilograms>-1</kilograms><labels/></parcel>', 'invalid-body-accepted'],
])('finds that a wrong body in %s was accepted: %s', (type, body, check) => {
  const received = { status: 201, type: 'application/json', body: '{"id":1,"weight":2,"labels":[]}' };
  expect(judge('POST', '/parcels', { type, body }, received)).toContainEqual(expect.stringContaining(check));
});

test.each([
  [': hello\n\ndata: {"parcel":1}\n\ndata: {"par', []],
  [
    'data: {"parcel":1}\n\ndata: {}\n\n',
    ['response-schema: 200 with content that breaks its schema at /1/data'],
  ],
  [
    '{"parcel":1}\n',
    [expect.stringMatching(/^response-json: 200 with content that is not text\/event-stream: /u)],
  ],
])('judges events: %j', (body, found) => {
  expect(judge('GET', '/moves', undefined, { status: 200, type: 'text/event-stream', body })).toEqual(found);
});
