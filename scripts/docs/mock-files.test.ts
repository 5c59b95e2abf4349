import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import faultsSchema from '../../spec/faults.schema.json' with { type: 'json' };
import { loadContract } from '../../src/contract/load.ts';
import { openFaults } from '../../src/cli/mock-setup.ts';
import { framingFields } from '../../src/http/message.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import { faultIdForm } from '../../src/mock/faults/fault.ts';
import { parseData } from '../../src/mock/state/data-file.ts';
import { compileSchema } from '../../src/schema/compile.ts';
import { controlSchema } from './control.ts';
import { dataSchema } from './mock-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-mock-files-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const contract = await loadContract(undefined, { followReferences: false });
const options = { formats: 'assert', integers: 'digits' } as const;

function isValid(schema: JsonObject, value: JsonValue): boolean {
  return compileSchema({ schema, pointer: '' }).validator(options)(value, false).length === 0;
}

/** Returns whether a reader accepts a file with a value. */
async function isRead(
  value: JsonValue,
  read: (file: string, text: string) => Promise<unknown>,
): Promise<boolean> {
  const file = join(folder, 'file.json');
  writeFileSync(file, JSON.stringify(value));
  return read(file, JSON.stringify(value)).then(
    () => true,
    () => false,
  );
}

// `npx vitest run --project quick scripts/docs -u` writes it anew.
test('the published schema of data is made of that of the control interface', async () => {
  const file = new URL('../../spec/data.schema.json', import.meta.url).pathname;
  await expect(`${JSON.stringify(dataSchema, undefined, 2)}\n`).toMatchFileSnapshot(file);
});

test('the published schema of fault rules is that of the control interface, and names the fields of the mock', () => {
  const { FaultRule, ForcedAnswer } = faultsSchema.$defs;
  const ofControl = [controlSchema('FaultRule'), controlSchema('ForcedAnswer')];
  expect(JSON.stringify([FaultRule, ForcedAnswer]).replaceAll('#/$defs/', '#/components/schemas/')).toBe(
    JSON.stringify(ofControl),
  );
  expect(FaultRule.properties.id.pattern).toBe(faultIdForm.source);
  const isFraming = new RegExp(ForcedAnswer.properties.headers.propertyNames.not.pattern, 'u');
  expect(
    [...framingFields].filter((name) => !isFraming.test(name) || !isFraming.test(name.toUpperCase())),
  ).toEqual([]);
  expect(isFraming.test('x-connection')).toBe(false);
});

test.each<[isAccepted: boolean, JsonValue]>([
  [true, { '/orders': [{ id: 1 }], '/settings': { theme: 'dark' } }],
  [true, { $schema: './data.schema.json', '/orders': [] }],
  [true, {}],
  [true, [{ id: 1 }]],
  [false, { orders: [{ id: 1 }] }],
  [false, { '/orders': 'none' }],
  [false, { '/orders': [1] }],
  [false, [1]],
  [false, null],
  [false, 'rows'],
])('the reader and the schema of data both answer %s to %j', async (isAccepted, value) => {
  await expect(isRead(value, (file, text) => parseData({ file, text }))).resolves.toBe(isAccepted);
  expect(isValid(dataSchema, value)).toBe(isAccepted);
});

test.each<[isAccepted: boolean, JsonValue]>([
  [true, [{ operation: 'createPlant', times: 3, answer: { status: 503, retryAfter: 2 } }]],
  [true, { $schema: './faults.schema.json', faults: [{ id: 'slow', delay: [200, 900], share: 0.5 }] }],
  [true, [{ path: '/plants', method: 'post', connection: 'drop', enabled: false }]],
  [true, [{ answer: { status: 500, headers: { 'X-A': 'b' }, body: { a: 1 } }, connection: 'truncate' }]],
  [true, []],
  [false, {}],
  [false, [{}]],
  [false, [{ answer: {} }]],
  [false, [{ answer: { status: 199 } }]],
  [false, [{ answer: { status: 204, body: {} } }]],
  [false, [{ answer: { status: 200, body: {}, example: 'a' } }]],
  [false, [{ answer: { status: 200, headers: { 'content-length': '1' } } }]],
  [false, [{ answer: { status: 503 }, connection: 'drop' }]],
  [false, [{ delay: [1] }]],
  [false, [{ delay: 3_600_001 }]],
  [false, [{ delay: 1, times: 0 }]],
  [false, [{ delay: 1, path: 'plants' }]],
  [false, [{ delay: 1, every: 2 }]],
  [false, { faults: { delay: 1 } }],
])('the reader and the schema of fault rules both answer %s to %j', async (isAccepted, value) => {
  const read = (faults: string): Promise<unknown> => openFaults({ faults, delay: undefined }, contract);
  await expect(isRead(value, read)).resolves.toBe(isAccepted);
  // `as`: it is JSON, for which TypeScript infers a type of its own.
  expect(isValid(faultsSchema as unknown as JsonObject, value)).toBe(isAccepted);
});
