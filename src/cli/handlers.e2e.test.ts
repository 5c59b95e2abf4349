import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';
import { startMock } from '../../fixtures/start-mock.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-handlers-'));
const schema = '{ type: object, required: [total], properties: { total: { type: number } } }';
const document = `openapi: 3.1.0
info: { title: Carts, version: '1' }
paths:
  /total:
    get:
      operationId: getTotal
      parameters: [{ name: price, in: query, schema: { type: number } }]
      responses: { '200': { description: It., content: { application/json: { schema: ${schema} } } } }
`;

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const handlers = (factor: number): string => `import { round } from './round.ts';
import type { Handlers } from 'cloche';

export default {
  getTotal: ({ query, respond }) => {
    if (query.price === 13) throw new Error('no such price');
    if (query.price === 14) setTimeout(() => { throw new Error('too late'); }, 1);
    return respond(200, { total: round(Number(query.price) * ${factor}) });
  },
} satisfies Handlers;
`;

beforeAll(async () => {
  write('api.yaml', document);
  write('round.ts', 'export const round = (value: number): number => Math.round(value);\n');
  await buildWhenStale();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('--handlers answers with functions in TypeScript, survives their errors, and reads them again', async () => {
  write('handlers.ts', handlers(2));
  const mock = await startMock(folder, ['api.yaml', '--handlers', 'handlers.ts', '--watch']);
  const { url } = mock;
  const total = async (price: number): Promise<unknown> =>
    (await fetch(`${url}/total?price=${price}`)).json();
  expect(await total(10.4)).toEqual({ total: 21 });
  expect(await total(13)).toMatchObject({ status: 500, detail: expect.stringContaining('no such price') });
  await total(14);
  await expect.poll(mock.output).toContain('A handler failed after it had answered:');
  await expect.poll(mock.output).toMatch(/Error: no such price\n.*handlers\.ts:6/u);
  await expect.poll(mock.output).toContain('getTotal (handler)');
  write('handlers.ts', handlers(3));
  await expect.poll(() => total(10)).toEqual({ total: 30 });
});

test('--handlers takes rules in YAML', async () => {
  write(
    'rules.yaml',
    '- operation: getTotal\n  when: { query: { price: 5 } }\n  respond: { body: { total: 1 } }\n',
  );
  const mock = await startMock(folder, ['api.yaml', '--handlers', 'rules.yaml']);
  const { url } = mock;
  expect(await (await fetch(`${url}/total?price=5`)).json()).toEqual({ total: 1 });
});

test.for([
  ['none.ts', undefined, 'Failed to load the handlers "none.ts"'],
  ['list.ts', 'export default [];', 'its default export is no object of handlers'],
  ['typo.ts', 'export default { getTotals: {} };', 'Perhaps "getTotal" was meant'],
  [
    'typo.yaml',
    '- operation: getTotals\n  set: {}',
    'typo.yaml:1:3: [0].operation: the document has no operation "getTotals"',
  ],
  ['map.yaml', 'operation: getTotal', 'map.yaml:1:1: must be a list of rules'],
] as const)('the file %s is refused with exit code 2', async ([name, text, message]) => {
  if (text !== undefined) write(name, text);
  const { code, stderr } = await runCloche(['mock', 'api.yaml', '--port', '0', '--handlers', name], {
    folder,
  });
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});
