import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { loadContract } from '../../contract/load.ts';
import { createRouter } from '../../contract/router.ts';
import type { HeaderList } from '../../http/message.ts';
import type { Finding } from '../finding.ts';
import { judgeExchange } from '../judge.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-response-header-'));
afterAll(() => rmSync(folder, { recursive: true }));

const headers = {
  'X-Trace': { required: true, schema: { type: 'string' } },
  'X-Total': { schema: { type: 'integer', minimum: 0 } },
  'X-Ids': { schema: { type: 'array', items: { type: 'integer' } } },
  'X-Flag': { schema: { type: 'boolean' } },
  'X-Range': { schema: { type: 'object', properties: { from: { type: 'integer' } }, required: ['from'] } },
  'X-Color': { schema: { type: 'string', enum: ['red', 'grün'] } },
  'X-When': { schema: { type: 'string', format: 'date-time' } },
  'Content-Type': { schema: { type: 'integer' } },
};
const document = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: { '/orders': { get: { responses: { 200: { description: 'OK', headers } } } } },
};
const path = join(folder, 'orders.json');
writeFileSync(path, JSON.stringify(document));
const contract = await loadContract(path, { followReferences: false });

function findingOf(sent: HeaderList): Finding | undefined {
  const { findings } = judgeExchange({
    exchange: {
      request: { method: 'GET', target: '/orders', headers: [], body: undefined },
      answer: {
        kind: 'response',
        response: { status: 200, headers: sent, body: new Uint8Array() },
      },
      durationMs: 1,
    },
    route: createRouter(contract)('/orders'),
    framing: 'content-length',
    keyState: () => 'none',
    context: createCheckContext(contract),
  });
  return findings.find(({ check }) => check === 'response-header');
}

const trace: HeaderList[number] = ['x-trace', 'a'];

test('finds a required field that is missing', () => {
  expect(findingOf([])).toMatchObject({ level: 'violation', received: '200 without X-Trace' });
});

test('names the place of the schema that a value breaks', () => {
  expect(findingOf([trace, ['x-total', 'many']])).toMatchObject({
    level: 'violation',
    clause: {
      kind: 'document',
      pointer: '/paths/~1orders/get/responses/200/headers/X-Total/schema/type',
      quote: 'type: the header field X-Total must be an integer, but is a string',
    },
    received: '200 whose X-Total breaks its schema',
    cause: '200 x-total type',
  });
});

test.each<HeaderList>([
  [['X-Total', '-1']],
  [['X-Total', '5.5']],
  [['X-Total', '']],
  [
    ['X-Total', '5'],
    ['X-Total', 'many'],
  ],
  [['X-Ids', '1,two']],
  [['X-Flag', 'maybe']],
  [['X-Range', 'from,x']],
  [['X-Range', 'to,1']],
  [['X-Color', 'blue']],
])('finds a value that its schema does not accept: %j', (...sent) => {
  expect(findingOf([trace, ...sent])).toMatchObject({ level: 'violation', check: 'response-header' });
});

test.each<HeaderList>([
  [],
  [['X-Total', '5']],
  [['X-Total', '+5']],
  [['X-Total', '5.0']],
  [['X-Total', '007']],
  [['X-Total', '0']],
  [['x-total', ' 5 ']],
  [['X-Total', '9007199254740993']],
  [
    ['X-Total', '5'],
    ['x-total', '5'],
  ],
  [['X-Ids', '1, 2,3']],
  [['X-Ids', '']],
  [
    ['X-Ids', '1'],
    ['X-Ids', '2,3'],
  ],
  [['X-Flag', 'true']],
  [['X-Flag', 'False']],
  [['X-Flag', '?1']],
  [['X-Range', 'from,1']],
  [['X-Range', 'from=1']],
  [['X-Color', 'red']],
  [['X-Color', 'gr\u00C3\u00BCn']],
  [['X-When', 'Sat, 21 Nov 2026 08:00:00 GMT']],
  [['Content-Type', 'text/plain']],
])('has nothing to say about %j', (...sent) => {
  expect(findingOf([trace, ...sent])).toBeUndefined();
});
