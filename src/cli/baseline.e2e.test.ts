import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';
import type { ClocheError } from '../errors/cloche-error.ts';
import type { BaselineEntry, RunResult } from '../events/events.ts';
import { readBaseline } from '../events/read-baseline.ts';
import { saveBaseline } from './baseline.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-baseline-'));

/** A service that fails on whatever is sent, and says nothing of credentials. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(request.headers.authorization === 'Bearer t' ? 500 : 401, {
      'WWW-Authenticate': 'Bearer',
    });
    response.end();
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
// `as`: a server that listens on a port has such an address.
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(() => buildWhenStale(), 2 * minute);

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

function run(...words: readonly string[]): Promise<Ended> {
  return runCloche(['test', url, '--token', 't', '--runs', '2', '--timeout', '2000', ...words], { folder });
}

test(
  'what --update-baseline writes lets the next run pass, with another seed, until it expires',
  { timeout: 4 * minute },
  async () => {
    const before = await run('--seed', '1');
    expect(before.code).toBe(1);
    const id = /\[(server-error-[0-9a-f]{12})\]/u.exec(before.stdout)?.[1] ?? '';
    const written = await run('--seed', '1', '--baseline', 'known.yaml', '--update-baseline');
    expect([written.code, written.stderr]).toEqual([0, '']);
    expect(written.stdout).toMatch(
      /\nPASS, baseline updated {2}\S+ on http:\/\/\S+: (\d+) known in [\d,]+ requests; no operation was ever answered with a success(?:; created [^;]+)?; known\.yaml: \1 findings added, 0 removed, 0 kept\n$/u,
    );
    const text = await readFile(join(folder, 'known.yaml'), 'utf8');
    expect(text).toContain(id);

    const after = await run('--seed', '2', '--baseline', 'known.yaml');
    expect(after.code).toBe(0);
    expect(after.stdout).toContain('Known, and let pass by the baseline:');
    expect(after.stdout).toMatch(/^PASS.*: nothing new found, \d+ known in/mu);

    await writeFile(
      join(folder, 'known.yaml'),
      text.replace(`id: ${id}`, `id: ${id}\n    expires: 2020-01-01`),
    );
    const late = await run('--seed', '2', '--baseline', 'known.yaml');
    expect(late.code).toBe(1);
    expect(late.stdout).toContain('its entry in the baseline expired on 2020-01-01');
  },
);

test('names what is gone only where all suites were run', { timeout: 4 * minute }, async () => {
  const gone = 'echo-0123456789ab';
  await writeFile(join(folder, 'gone.json'), JSON.stringify({ findings: [{ id: gone }] }));
  const whole = await run('--baseline', 'gone.json');
  expect(whole.stdout).toContain(`No longer found; remove from the baseline:\n  ${gone}`);
  const part = await run('--baseline', 'gone.json', '--suite', 'valid-bodies');
  expect(part.stdout).not.toContain('No longer seen');
  expect(part.stdout).toContain(`Of the baseline ${gone}: not looked for, as only some suites were run`);
});

test('a bad baseline ends with 2 before anything is sent', { timeout: minute }, async () => {
  await writeFile(join(folder, 'bad.yaml'), 'findings:\n  - name: x\n');
  const { code, stdout, stderr } = await run('--baseline', 'bad.yaml');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('bad.yaml:2:5: findings[0].name: there is no "name"');
});

test('--update-baseline without a file ends with 2', { timeout: minute }, async () => {
  const { code, stderr } = await run('--update-baseline');
  expect(code).toBe(2);
  expect(stderr).toContain('Name one with --baseline FILE.');
});

test('--bail goes on past what is known', { timeout: 2 * minute }, async () => {
  await run('--baseline', 'bail.json', '--update-baseline');
  const { code, stdout } = await run('--baseline', 'bail.json', '--bail');
  expect(code).toBe(0);
  expect(stdout).toContain('nothing new found');
});

const ajv = new Ajv2020({ formats: { date: fullFormats.date } });
const fitsSchema = ajv.compile(
  JSON.parse(await readFile(new URL('../../spec/baseline.schema.json', import.meta.url), 'utf8')),
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

test.each(['empty.json', 'empty.yaml'])('says that %s is empty, and fills it', async (name) => {
  const [first] = await complain('\n', name);
  expect(first).toBe(
    'Failed to read "F": F:1:1: it is empty. Begin with {"findings": []}, or have it written by --update-baseline.',
  );
  const file = await write(name, '\n');
  expect(await readBaseline(file, { mayBeMissing: true })).toEqual({ file, text: undefined, entries: [] });
});

test('takes a file that there is not for an empty one only where it is to be written', async () => {
  const file = join(folder, 'none.yaml');
  expect(await readBaseline(file, { mayBeMissing: true })).toEqual({ file, text: undefined, entries: [] });
  await expect(readBaseline(file, { mayBeMissing: false })).rejects.toThrow(
    `Failed to read the baseline "${file}": there is no such file. Add --update-baseline to have it written, or name a file that there is.`,
  );
});

let files = 0;

const old = 'echo-0123456789ab';
const gone = 'server-error-0123456789ab';
const fresh = 'server-error-6f1d0c3a9be2';

/** A result with findings of these ids, violations but for the warning. */
function result(ids: readonly string[], lost: readonly BaselineEntry[] = []): RunResult {
  const findings = ids.map((id) => {
    const isWarning = id.startsWith('allow-');
    const check = id.replace(/-[0-9a-f]{12}$/u, '');
    const finding = {
      check,
      level: isWarning ? 'warning' : 'violation',
      operation: 'create',
      trigger: 'zero',
    };
    return { id, finding, ...(id === old ? { known: { id } } : {}) };
  });
  // `as`: nothing else of a result is looked at.
  return { findings, gone: lost } as unknown as RunResult;
}

async function save(
  input: { readonly ending: string; readonly text: string | undefined },
  enforced: RunResult,
  strict = false,
): Promise<{ readonly text: string; readonly words: string; readonly left: readonly string[] }> {
  files += 1;
  const path = join(folder, `${files}.${input.ending}`);
  if (input.text !== undefined) {
    await writeFile(path, input.text);
  }
  const saved = await saveBaseline(await readBaseline(path, { mayBeMissing: true }), enforced, { strict });
  return {
    text: await readFile(path, 'utf8'),
    words: saved.baselineUpdate?.replace(path, 'F') ?? '',
    left: saved.findings.flatMap(({ id, known }) => (known === undefined ? [id] : [])),
  };
}

test('writes a file where there is none, which is read again', async () => {
  const { text, words } = await save({ ending: 'yaml', text: undefined }, result([fresh]));
  expect(text).toContain(
    `  - id: ${fresh}\n    title: The service failed (create, zero)\n    operation: create\n`,
  );
  expect(words).toBe('F: 1 finding added, 0 removed, 0 kept');
  const read = await readBaseline(join(folder, `${files}.yaml`), { mayBeMissing: false });
  expect(read.entries.map(({ id }) => id)).toEqual([fresh]);
});

test('keeps the reasons, days and comments of YAML, and takes out what is gone', async () => {
  const text = `# ours\nfindings:\n  # gone soon\n  - id: ${gone}\n  # keep: the client needs it\n  - id: ${old}\n    reason: 'as it is' # sic\n    expires: 2026-12-31\n`;
  const saved = await save({ ending: 'yml', text }, result([old, fresh], [{ id: gone }]));
  expect(saved.words).toBe('F: 1 finding added, 1 removed, 1 kept');
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
    findings: [entry, { id: fresh, title: 'The service failed (create, zero)', operation: 'create' }],
  });
});

test('keeps entries that were not seen in a run that was not whole', async () => {
  const text = `findings:\n  - id: ${gone}\n`;
  expect(await save({ ending: 'yaml', text }, result([]))).toMatchObject({ text });
});

test('takes warnings in only where they fail the run', async () => {
  const warning = 'allow-0123456789ab';
  const lax = await save({ ending: 'json', text: undefined }, result([warning]));
  const strict = await save({ ending: 'json', text: undefined }, result([warning]), true);
  expect([lax.text.includes(warning), strict.text.includes(warning)]).toEqual([false, true]);
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
  const enforced = { ...result([fresh]), interrupted: true };
  const saved = await saveBaseline(
    { file: join(folder, 'never.json'), text: undefined, entries: [] },
    enforced,
    {
      strict: false,
    },
  );
  expect(saved.baselineUpdate).toMatch(/: not updated, because the run was interrupted$/u);
  expect(await readdir(folder)).not.toContain('never.json');
});

test('says which file cannot be written', async () => {
  const file = { file: join(folder, 'no-such-folder', 'b.json'), text: undefined, entries: [] };
  await expect(saveBaseline(file, result([fresh]), { strict: false })).rejects.toThrow(
    /^Failed to write the baseline ".+b\.json": /u,
  );
});
