import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ClocheError } from '../../errors/cloche-error.ts';
import { readBaseline } from '../baseline.ts';

const folder = await mkdtemp(join(tmpdir(), 'cloche-baseline-'));
const ajv = new Ajv2020({ formats: { date: fullFormats.date } });
const fitsSchema = ajv.compile(
  JSON.parse(await readFile(new URL('../../../schema/baseline.schema.json', import.meta.url), 'utf8')),
);

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

/** What is said of a text, without the name of its file. */
async function complain(text: string, name = 'baseline.yaml'): Promise<readonly string[]> {
  const file = await write(name, text);
  const error = await readBaseline(file, { mayBeMissing: false }).then(
    () => undefined,
    // `as`: what it throws.
    (reason: unknown) => reason as ClocheError,
  );
  expect(error?.exitCode).toBe(2);
  return (error?.message ?? '').replaceAll(file, 'F').split('\n');
}

const id = 'server-error-6f1d0c3a9be2';

test('reads entries from YAML and from JSON', async () => {
  const entry = { id, title: 'The service failed', reason: 'the database is old', expires: '2026-12-31' };
  const yaml = `findings:\n  - id: ${id}\n    title: The service failed\n    reason: the database is old\n    expires: 2026-12-31\n`;
  const json = JSON.stringify({
    $schema: './baseline.schema.json',
    findings: [entry, { id: 'echo-0123456789ab' }],
  });
  expect((await readBaseline(await write('a.yaml', yaml), { mayBeMissing: false })).entries).toEqual([entry]);
  expect((await readBaseline(await write('a.json', json), { mayBeMissing: false })).entries).toEqual([
    entry,
    { id: 'echo-0123456789ab' },
  ]);
});

const wrong: readonly (readonly [text: string, said: string])[] = [
  ['findings: 3', 'F:1:1: findings: must be a list. Give a list of entries, which may be empty.'],
  ['finding: []\nfindings: []', 'F:1:1: finding: there is no "finding". Perhaps "findings" was meant.'],
  [
    `findings:\n  - ${id}`,
    'F:2:5: findings[0]: must be an object. Write an entry as {"id": "…", "reason": "…"}.',
  ],
  [
    'findings:\n  - reason: x',
    'F:2:5: findings[0]: must have "id". Copy the id of the finding from a report.',
  ],
  [
    'findings:\n  - id: server-error',
    'F:2:5: findings[0].id: "server-error" is no id of a finding. Copy it from a report, as in server-error-6f1d0c3a9be2.',
  ],
  [
    `findings:\n  - id: ${id}\n    expires: 2026-02-30`,
    'F:3:5: findings[0].expires: "2026-02-30" is no day. Write year, month and day, as in 2026-12-31.',
  ],
  [
    `findings:\n  - id: ${id}\n    reason: 3`,
    'F:3:5: findings[0].reason: must be a text. Put it in quotes, or leave "reason" out.',
  ],
  [
    `findings:\n  - id: ${id}\n    expiry: 2026-12-31`,
    'F:3:5: findings[0].expiry: there is no "expiry". Perhaps "expires" was meant.',
  ],
  [
    `findings:\n  - id: ${id}\n  - id: ${id}`,
    `F:3:5: findings[1].id: "${id}" stands twice. Keep one of the entries.`,
  ],
];

test.each(wrong)('refuses %j with its line and column', async (text, said) => {
  expect(await complain(text)).toEqual([`Failed to read "F": ${said}`]);
});

test.each(wrong.filter(([text]) => !text.includes('- id: server-error-6f1d0c3a9be2\n  - id')))(
  'refuses %j as the published schema does',
  (text) => {
    expect(fitsSchema(parse(text))).toBe(false);
  },
);

test('names everything that is wrong at once', async () => {
  const lines = await complain(`{"findings": [{"id": "x"},\n {"id": "${id}", "expires": "soon"}]}`, 'b.json');
  expect(lines[0]).toContain('it has 2 problems');
  expect(lines.slice(1).map((line) => line.trim().split(' ')[0])).toEqual(['F:1:16:', 'F:2:38:']);
});

test('refuses what is no YAML', async () => {
  expect((await complain('findings: [')).join('\n')).toContain('F:1:');
});

test('takes a file that there is not for an empty one only where it is to be written', async () => {
  const file = join(folder, 'none.yaml');
  expect(await readBaseline(file, { mayBeMissing: true })).toEqual({ file, text: undefined, entries: [] });
  await expect(readBaseline(file, { mayBeMissing: false })).rejects.toThrow(
    `Failed to read the baseline "${file}": there is no such file. Add --update-baseline to have it written, or name a file that there is.`,
  );
});
