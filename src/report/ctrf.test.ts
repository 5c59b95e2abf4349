import { expect, test } from 'vitest';
import { createRunEvents, findSecrets, runSecret, writeReport } from '../../fixtures/create-run-events.ts';
import { listSchemaErrors } from '../../fixtures/report-schemas.ts';
import { createCtrfReport } from './ctrf.ts';

interface Test {
  readonly name: string;
  readonly status: string;
  readonly duration: number;
  readonly suite: readonly string[];
  readonly message?: string;
  readonly trace?: string;
  readonly stdout?: readonly string[];
}

interface Results {
  readonly summary: Readonly<Record<string, number>>;
  readonly tests: readonly Test[];
  readonly environment: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;
}

function report(input: Parameters<typeof writeReport>[1] = {}): Results {
  const text = writeReport(createCtrfReport, input);
  expect(findSecrets(text)).toEqual([]);
  // `as`: the schema is tested on the next line.
  const whole = JSON.parse(text) as { readonly results: Results };
  expect(listSchemaErrors('ctrf', whole)).toEqual([]);
  return whole.results;
}

test('the schema rejects a test without a status', () => {
  const results = { tool: { name: 'a' }, summary: {}, tests: [{ name: 'a' }] };
  expect(listSchemaErrors('ctrf', { reportFormat: 'CTRF', specVersion: '0.0.0', results })).toContain(
    "/results/tests/0 must have required property 'status'",
  );
});

test('has the tests of the JUnit report, and counts them', () => {
  const { summary, tests, environment, extra } = report();
  expect(summary).toEqual({
    tests: 9,
    passed: 2,
    failed: 3,
    skipped: 4,
    pending: 0,
    other: 0,
    suites: 6,
    start: Date.UTC(2026, 10, 21, 9, 30, 0, 250),
    stop: Date.UTC(2026, 10, 21, 9, 30, 1, 485),
    duration: 1_235,
  });
  expect(tests[0]).toMatchObject({
    name: 'create.plain',
    suite: ['cloche', 'valid-bodies'],
    status: 'passed',
    duration: 2,
  });
  expect(environment).toMatchObject({ testEnvironment: 'http://127.0.0.1:8080/base' });
  expect(extra['cloche.run']).toMatchObject({ seed: 7, document: 'api.yaml' });
});

test('a finding that fails the run fails a test, with its message, its text and its id', () => {
  const { tests } = report();
  const failed = tests.filter(({ status }) => status === 'failed');
  expect(failed[0]).toMatchObject({
    name: 'create.extreme',
    tags: ['server-error'],
    message: expect.stringMatching(/^The service failed: expected .*, received 500 text\/html$/u),
    trace: expect.stringMatching(/^VIOLATION The service failed/u),
    extra: { 'cloche.finding': { id: expect.stringMatching(/^server-error-/u), operation: 'createPlant' } },
  });
  expect(tests.find(({ name }) => name === 'create.echo')).toMatchObject({
    status: 'passed',
    stdout: expect.arrayContaining(['Known, and may pass: names are stored in lower case']),
  });
});

test('an incomplete run fails a test of its own', () => {
  const { tests } = report({ why: `the service is gone, said ${runSecret}` });
  expect(tests.at(-1)).toMatchObject({
    name: 'the run comes to its end',
    status: 'failed',
    rawStatus: 'error',
    message: 'the service is gone, said [secret]',
  });
});

test('writes nothing of a run that never began', () => {
  expect(writeReport(createCtrfReport, { events: [] })).toBe('');
});

test('an empty run is valid', () => {
  const clean = { findings: [], notes: [], notChecked: [], coverage: [], gone: [], properties: [] };
  expect(report({ events: createRunEvents(clean) }).tests).toEqual([]);
});
