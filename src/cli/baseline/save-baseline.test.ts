import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BaselineEntry, RunResult } from '../../runner/events.ts';
import { readBaseline, saveBaseline } from '../baseline.ts';

const folder = await mkdtemp(join(tmpdir(), 'cloche-baseline-'));
let files = 0;

const old = 'echo-0123456789ab';
const gone = 'server-error-0123456789ab';
const fresh = 'server-error-6f1d0c3a9be2';

/** A result with findings of these ids, violations but for the advice. */
function result(ids: readonly string[], lost: readonly BaselineEntry[] = []): RunResult {
  const findings = ids.map((id) => {
    const isAdvice = id.startsWith('allow-');
    const check = id.replace(/-[0-9a-f]{12}$/u, '');
    const finding = { check, level: isAdvice ? 'advice' : 'violation', operation: 'create', trigger: 'zero' };
    return { id, finding, ...(id === old ? { known: { id } } : {}) };
  });
  // `as`: nothing else of a result is looked at.
  return { findings, gone: lost } as unknown as RunResult;
}

async function save(
  input: { readonly ending: string; readonly text: string | undefined },
  told: RunResult,
  strict = false,
): Promise<{ readonly text: string; readonly words: string; readonly left: readonly string[] }> {
  files += 1;
  const path = join(folder, `${files}.${input.ending}`);
  if (input.text !== undefined) {
    await writeFile(path, input.text);
  }
  const saved = await saveBaseline(await readBaseline(path, { mayBeMissing: true }), told, { strict });
  return {
    text: await readFile(path, 'utf8'),
    words: saved.words.replace(path, 'F'),
    left: saved.result.findings.map(({ id }) => id),
  };
}

test('writes a file where there is none, which is read again', async () => {
  const { text, words } = await save({ ending: 'yaml', text: undefined }, result([fresh]));
  expect(text).toContain(`  - id: ${fresh}\n    title: The service failed (create, zero)\n`);
  expect(words).toBe('Baseline F: 1 added, 0 removed, 0 kept.');
  const read = await readBaseline(join(folder, `${files}.yaml`), { mayBeMissing: false });
  expect(read.entries.map(({ id }) => id)).toEqual([fresh]);
});

test('keeps the reasons, days and comments of YAML, and takes out what is gone', async () => {
  const text = `# ours\nfindings:\n  # gone soon\n  - id: ${gone}\n  # keep: the client needs it\n  - id: ${old}\n    reason: 'as it is' # sic\n    expires: 2026-12-31\n`;
  const saved = await save({ ending: 'yml', text }, result([old, fresh], [{ id: gone }]));
  expect(saved.words).toBe('Baseline F: 1 added, 1 removed, 1 kept.');
  for (const kept of [
    '# ours',
    '# keep: the client needs it',
    "reason: 'as it is' # sic",
    'expires: 2026-12-31',
  ]) {
    expect(saved.text).toContain(kept);
  }
  expect(saved.text).not.toContain(gone);
  expect(saved.text.indexOf(fresh)).toBeGreaterThan(saved.text.indexOf(old));
});

test('keeps what stands in JSON', async () => {
  const entry = { id: old, reason: 'as it is', expires: '2026-12-31' };
  const text = JSON.stringify({ $schema: 'x.json', findings: [entry, { id: gone }] });
  const saved = await save({ ending: 'json', text }, result([old, fresh], [{ id: gone }]));
  expect(JSON.parse(saved.text)).toEqual({
    $schema: 'x.json',
    findings: [entry, { id: fresh, title: 'The service failed (create, zero)' }],
  });
});

test('keeps entries that were not seen in a run that was not whole', async () => {
  const text = `findings:\n  - id: ${gone}\n`;
  expect(await save({ ending: 'yaml', text }, result([]))).toMatchObject({ text });
});

test('takes advice in only where it fails the run', async () => {
  const advice = 'allow-0123456789ab';
  const lax = await save({ ending: 'json', text: undefined }, result([advice]));
  const strict = await save({ ending: 'json', text: undefined }, result([advice]), true);
  expect([lax.text.includes(advice), strict.text.includes(advice)]).toEqual([false, true]);
});

test('leaves of the result what the file does not let pass', async () => {
  const { left } = await save({ ending: 'json', text: undefined }, result([fresh]));
  expect(left).toEqual([]);
});

test('leaves nothing beside the file', async () => {
  await save({ ending: 'json', text: undefined }, result([fresh]));
  expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('writes nothing after a run that was interrupted', async () => {
  const told = { ...result([fresh]), interrupted: true };
  const saved = await saveBaseline({ file: join(folder, 'never.json'), text: undefined, entries: [] }, told, {
    strict: false,
  });
  expect(saved.words).toMatch(/: not written, as the run was interrupted\.$/u);
  expect(await readdir(folder)).not.toContain('never.json');
});

test('says which file cannot be written', async () => {
  const file = { file: join(folder, 'no-such-folder', 'b.json'), text: undefined, entries: [] };
  await expect(saveBaseline(file, result([fresh]), { strict: false })).rejects.toThrow(
    /^Failed to write the baseline ".+b\.json": /u,
  );
});
