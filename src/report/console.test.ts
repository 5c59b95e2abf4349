import { expect, test } from 'vitest';
import { createRunEvents, runSecret } from '../../fixtures/create-run-events.ts';
import type { Finding } from '../check/finding.ts';
import { createTextStyle } from '../errors/console-text.ts';
import type { PropertyResult, RunEvent, RunResult } from '../events/events.ts';
import { type ConsoleReportOptions, createConsoleReport } from './console.ts';

const started: RunEvent = {
  kind: 'run-started',
  target: 'http://h/',
  contract: { title: 'Things', version: '1', source: '/far/api.yaml' },
  seed: 7,
  keys: [1, 100],
  properties: 1,
  cases: 12,
  creates: 30,
};

const property: PropertyResult = {
  suite: 'accept',
  property: 'create.accept',
  title: 'A title',
  cases: 1,
  requests: 1,
  verdict: 'held',
};

const clean: RunResult = {
  seed: 7,
  keys: [1, 100],
  findings: [],
  notes: [],
  properties: [{ ...property, cases: 12, requests: 2_000 }],
  planned: 12,
  notChecked: [],
  requests: 2_000,
  durationMs: 1_234,
  waits: 0,
  interrupted: false,
  brokenOff: [],
  coverage: [],
  gone: [],
};

function note(check: 'left-open' | 'undeclared-status', received: string, count: number) {
  const clause = { kind: 'policy', question: 'accept', quote: '' } as const;
  const finding: Finding = {
    check,
    level: 'note',
    operation: 'create',
    clause,
    expected: '',
    received,
    cause: received,
  };
  return { finding, count };
}

function write(
  events: readonly RunEvent[],
  { isWhole = true, ...changes }: Partial<ConsoleReportOptions> & { readonly isWhole?: boolean } = {},
): readonly string[] {
  const lines: string[] = [];
  const report = createConsoleReport({
    baseUrl: 'http://h/',
    command: 'npx cloche test http://h',
    source: 'api.yaml',
    secrets: [],
    secretMeanings: [],
    replayed: undefined,
    strict: false,
    detail: 'whole',
    insecure: false,
    headers: [],
    paint: createTextStyle(false),
    writeLine: (line) => lines.push(line),
    showProgress: undefined,
    ...changes,
  });
  events.forEach(report.read);
  report.end({ isWhole });
  return lines;
}

function finish(changes: Partial<RunResult> = {}): RunEvent {
  return { kind: 'run-finished', result: { ...clean, ...changes } };
}

test('tells of a clean run from its beginning to its end', () => {
  expect(write([started, { kind: 'property-finished', result: property }, finish()])).toEqual([
    'Things 1 (api.yaml)',
    'Testing http://h/, seed 7, ids 1 to 100',
    'Up to 1 property, 12 cases; may create up to 30 items (--read-only creates none)',
    '  ✓ accept/create.accept                           1 case, 1 request',
    '',
    '1 property, 12 cases, 2,000 requests in 1.2 s. Seed 7.',
    '',
    'PASS  api.yaml on http://h/: nothing found in 2,000 requests',
  ]);
});

test('ends a run that broke off before it had a result with a verdict', () => {
  const verdict = 'FAIL  api.yaml on http://h/: broken off, nothing found so far in 0 requests';
  expect(write([started], { isWhole: false }).slice(-2)).toEqual(['', verdict]);
  expect(write([started], { isWhole: false, detail: 'verdict' })).toEqual([verdict]);
  expect(write([], { isWhole: false })).toEqual([]);
});

test.each([
  ['held', '✓', ''],
  ['broken', '✗', ''],
  ['warned', '!', ''],
  ['given-up', '–', ', given up'],
  ['cut-off', '–', ', cut off'],
  ['unjudged', '–', ', not judged'],
] as const)('marks a property that is %s with %s', (verdict, mark, words) => {
  const [line = ''] = write([{ kind: 'property-finished', result: { ...property, verdict } }]);
  expect(line.startsWith(`  ${mark} `)).toBe(true);
  expect(line.endsWith(`1 request${words}`)).toBe(true);
});

test('sets the cases that were run beside those that were planned', () => {
  const some = (cases: number) => write([started, finish({ properties: [{ ...property, cases }] })]).at(-3);
  expect(some(14)).toContain('14 cases (12 planned, 2 to narrow failures down)');
  expect(some(9)).toContain('9 of 12 planned cases');
});

test('says that a run was interrupted or broken off, and judges only what came before', () => {
  expect(write([started, finish({ interrupted: true })]).at(-1)).toContain(
    ': interrupted, nothing found so far',
  );
  expect(write([started, finish()], { isWhole: false }).at(-1)).toContain(
    ': broken off, nothing found so far',
  );
});

test('lists each open question on a line, with each answer and how often it was seen', () => {
  const notes = [
    note('left-open', 'refused (406)', 2),
    note('left-open', 'ignored (200)', 5),
    note('undeclared-status', '406 text/html', 2),
  ];
  const lines = write([started, finish({ notes })], { width: 80 });
  expect(lines).toContain('  accept                 ignored (200) 5×, refused (406) 2×');
});

test('tells what was not checked from what the document gives no occasion for', () => {
  const notChecked: RunResult['notChecked'] = [
    { what: 'Framing', reason: 'there is no connection; name a base URL' },
    { what: 'Samples', reason: 'every operation creates something', notApplicable: true },
    { what: 'Bodies', reason: 'create: its schema has no example', notApplicable: true },
  ];
  expect(write([started, finish({ notChecked })]).slice(3, -3)).toEqual([
    '',
    'Not checked:',
    '  Framing: there is no connection; name a base URL',
    '  Bodies: create: its schema has no example',
    '',
    'Not applicable: Samples (every operation creates something)',
    '',
  ]);
  const replayed = write([started, finish({ notChecked })], { replayed: 'accept/create.accept' });
  expect(replayed.join('\n')).not.toMatch(/Not checked|Not applicable/u);
  expect(replayed.at(-4)).toMatch(/--suite accept --seed 7 runs all of them\.$/u);
  expect(write([started, finish({ notChecked })]).join('\n')).not.toContain('--suite');
});

test('says before and after the run which items it cannot delete', () => {
  const notChecked = [
    { what: 'Framing', reason: 'there is no connection' },
    {
      what: 'Left behind',
      reason: 'up to 731 items in /things (no operation deletes them)',
      isLeftBehind: true as const,
    },
  ];
  const events = [{ ...started, keptForEver: ['/things'] } as const, finish({ notChecked })];
  for (const detail of ['usual', 'whole'] as const) {
    const lines = write(events, { detail });
    expect(lines[2]).toMatch(/\(--read-only creates none\); no operation deletes those in \/things$/u);
    expect(lines).toContain('Left behind: up to 731 items in /things (no operation deletes them).');
    expect(lines.join('\n')).not.toContain('Not checked: Left behind');
  }
});

const operation = {
  operation: 'create',
  pointer: '/paths/~1things/post',
  requests: 1_200,
  accepted: 600,
  bodies: [],
  responses: [{ status: '200', pointer: '/a/200', seen: 600 }],
  undeclared: [{ status: 401, seen: 9 }],
  keywords: [],
};

test('says in a line what each operation answered, and what is open', () => {
  const never = { ...operation, operation: 'read', accepted: 0, responses: [], reason: 'give an enum' };
  const cut = { ...operation, operation: 'list' };
  const events = [
    started,
    { kind: 'property-finished', result: property } as const,
    finish({
      coverage: [operation, never, cut],
      properties: [{ ...property, property: 'list.plain', verdict: 'cut-off' }],
      notes: [note('left-open', 'refused (406)', 2)],
    }),
  ];
  expect(write(events, { detail: 'usual' })).toEqual([
    'Things 1 (api.yaml)',
    'Testing http://h/, seed 7',
    'Up to 1 property, 12 cases; may create up to 30 items (--read-only creates none)',
    '',
    '  ✓ create  1,200 requests: 200 600×, 401 9×',
    '  – read    1,200 requests, no success: 401 9×',
    '  – list    1,200 requests: 200 600×, 401 9×; 1 property cut off',
    '',
    '1 of 3 operations never answered with a success:',
    '  read: give an enum',
    '',
    'Not specified by the document: 1 question, which --verbose lists',
    'Coverage: 2 of 3 operations answered with a success, 2 of 2 responses.',
    '1 property, 1 of 12 planned cases, 2,000 requests in 1.2 s. Seed 7.',
    '',
    'PASS  api.yaml on http://h/: nothing found in 2,000 requests; only 1 of 12 cases tried',
  ]);
});

test('counts operations that are alike where there are hundreds', () => {
  const coverage = Array.from({ length: 200 }, (_, index) => ({
    ...operation,
    operation: `operation${index}`,
    accepted: index < 30 ? 0 : 600,
    reason: 'give an enum',
  }));
  const lines = write([started, finish({ coverage })], { detail: 'usual', width: 80 });
  expect(lines).toContain('  – 20 others  not exercised in full');
  expect(lines).toContain('  ✓ 170 others  in order');
  expect(lines).toContain('  operation0, operation1, operation2 and 27 others: give an enum');
  expect(lines.length).toBeLessThan(30);
});

test('--quiet prints only the findings that fail the run', () => {
  const headlines = (changes: Partial<ConsoleReportOptions>): readonly string[] =>
    write(createRunEvents(), { secrets: [runSecret], detail: 'verdict', ...changes }).flatMap(
      (line) => /^(?:VIOLATION|WARNING|PASS|FAIL).*?(?= \[|$)/u.exec(line) ?? [],
    );
  const violations = [
    'VIOLATION The service failed',
    'VIOLATION A response broke its schema',
    'VIOLATION A request got no response',
  ];
  const verdict =
    'FAIL  api.yaml on http://127.0.0.1:8080/base: 3 violations and 1 warning, 1 known in 1,200 requests';
  expect(headlines({})).toEqual([...violations, verdict]);
  expect(headlines({ strict: true })).toEqual([
    ...violations,
    'WARNING A valid body was refused: the service has a constraint that the document does not declare',
    verdict,
  ]);
});

test('prints the exchanges of a replay with --verbose, and hides the token', () => {
  const exchanges = createRunEvents().filter(({ kind }) => kind === 'exchange');
  const shown = (changes: Partial<ConsoleReportOptions>): readonly string[] =>
    write(exchanges.slice(0, 2), { secrets: [runSecret], ...changes });
  const lines = shown({ replayed: 'valid-bodies/create.plain' });
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^ {2}curl -sSi 'http:\/\/h\/plants' .*--data-binary/u);
  expect(lines[1]).toBe('    200 application/json “{"name":"Basil"}”');
  expect(lines.join('\n')).not.toContain(runSecret);
  expect(shown({ replayed: undefined })).toEqual([]);
  expect(shown({ replayed: 'valid-bodies/create.plain', detail: 'usual' })).toEqual([]);
});

test('--quiet lists stale entries of the baseline', () => {
  const events = [started, finish({ gone: [{ id: 'echo-0123456789ab', title: 'Lost' }] })];
  expect(write(events, { detail: 'verdict' }).slice(0, -2)).toEqual([
    '',
    'No longer found; remove from the baseline:',
    '  echo-0123456789ab Lost',
  ]);
});

test('prints the verdict alone where nothing else is asked for', () => {
  const events = [started, { kind: 'property-finished', result: property } as const, finish()];
  expect(write(events, { detail: 'verdict' })).toEqual([
    'PASS  api.yaml on http://h/: nothing found in 2,000 requests',
  ]);
});
