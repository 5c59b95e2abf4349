import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import type { FaultRule } from '../mock/faults/fault.ts';
import { openFaults } from './mock-setup.ts';

const plantStore = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));
const contract = await loadContract(plantStore, { followReferences: false });
const folder = await mkdtemp(join(tmpdir(), 'cloche-faults-'));

afterAll(() => rm(folder, { recursive: true, force: true }));

async function openFile(name: string, text: string): Promise<readonly FaultRule[]> {
  const file = join(folder, name);
  await writeFile(file, text);
  return openFaults({ delay: undefined, faults: file }, contract);
}

test('reads a delay, and a range of delays, as a rule for all', async () => {
  const open = (delay: string | undefined): Promise<readonly FaultRule[]> =>
    openFaults({ delay, faults: undefined }, contract);
  expect(await open('200')).toEqual([{ id: 'delay', delay: 200 }]);
  expect(await open('200..400')).toEqual([{ id: 'delay', delay: [200, 400] }]);
  expect(await open(undefined)).toEqual([]);
});

test.each(['', 'soon', '400..200', '-1', '1s', '3600001', '1..'])('refuses %j for a delay', async (delay) => {
  await expect(openFaults({ delay, faults: undefined }, contract)).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    exitCode: 2,
  });
});

test('reads a list of rules, as YAML, as JSON, and as the control interface lists them', async () => {
  const rule = { operation: 'createPlant', share: 0.5, answer: { status: 503 } };
  expect(
    await openFile('faults.yaml', '- operation: createPlant\n  share: 0.50\n  answer: { status: 503 }\n'),
  ).toEqual([rule]);
  expect(await openFile('faults.json', JSON.stringify([rule]))).toEqual([rule]);
  const listed = { ...rule, id: 'fault-1', enabled: true, seen: 3, applied: 1 };
  expect(await openFile('listed.json', JSON.stringify({ faults: [listed] }))).toEqual([
    { ...rule, id: 'fault-1', enabled: true },
  ]);
  expect(await openFile('none.json', '[]')).toEqual([]);
});

test('puts the delay behind the rules of a file', async () => {
  const file = join(folder, 'drop.yaml');
  await writeFile(file, '- connection: drop\n  times: 1\n');
  const rules = await openFaults({ delay: '5', faults: file }, contract);
  expect(rules).toEqual([
    { connection: 'drop', times: 1 },
    { id: 'delay', delay: 5 },
  ]);
});

test('names each rule that cannot be used, at its line', async () => {
  const text = '- operation: creatPlant\n  delay: 5\n- connection: drop\n  tims: 2\n- {}\n';
  const message = await openFile('bad.yaml', text).catch((error: unknown) => String(error));
  const file = join(folder, 'bad.yaml');
  expect(message).toBe(
    [
      `ClocheError: Failed to read "${file}": it has 3 problems. Mend each of them.`,
      `  ${file}:1:3: [0].operation: there is no operation "creatPlant". Perhaps "createPlant" was meant.`,
      `  ${file}:4:3: [1].tims: there is no "tims". Perhaps "times" was meant.`,
      `  ${file}:5:3: [2]: does nothing. Give it "delay", "answer" or "connection".`,
    ].join('\n'),
  );
});

test('refuses two rules of one id, and what is no list', async () => {
  const twice = '[{"id": "a", "delay": 1},\n {"id": "a", "delay": 2}]';
  await expect(openFile('twice.json', twice)).rejects.toThrow(
    /twice\.json:2:3: \[1\]\.id: "a" names a rule already/u,
  );
  await expect(openFile('text.yaml', 'drop')).rejects.toThrow(/text\.yaml:1:1: must be a list of rules/u);
  await expect(openFaults({ delay: undefined, faults: join(folder, 'no') }, contract)).rejects.toThrow(
    /Failed to read the fault rules ".*no": there is no such file/u,
  );
});
