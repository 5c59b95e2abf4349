import { expect, test } from 'vitest';
import {
  createRunEvents,
  findSecrets,
  hostileText,
  runSecret,
  writeReport,
} from '../../fixtures/create-run-events.ts';
import type { RunResult } from '../events/events.ts';
import { createGitlabReport } from './gitlab.ts';

interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const inRepository = (file: string): string | undefined => file.slice(file.lastIndexOf('spec/'));

function report(
  input: Parameters<typeof writeReport>[1] = {},
  nameInRepository: (file: string) => string | undefined = inRepository,
): readonly Issue[] {
  const text = writeReport((options) => createGitlabReport({ ...options, nameInRepository }), input);
  expect(findSecrets(text)).toEqual([]);
  // `as`: the tests compare its members.
  return JSON.parse(text) as readonly Issue[];
}

function findings(): RunResult['findings'] {
  const last = createRunEvents().at(-1);
  return last?.kind === 'run-finished' ? last.result.findings : [];
}

test('an issue has a severity by whether it fails the run, and the line of its clause', () => {
  const issues = report();
  expect(issues.map(({ check_name, severity }) => [check_name, severity])).toEqual([
    ['server-error', 'major'],
    ['response-schema', 'major'],
    ['timed-out', 'major'],
    ['echo', 'info'],
    ['undeclared-constraint', 'minor'],
  ]);
  for (const { fingerprint, check_name, location, description } of issues) {
    expect(fingerprint).toMatch(new RegExp(`^${check_name}-[0-9a-f]{12}$`, 'u'));
    expect(location).toEqual({ path: 'spec/plant-store.yaml', lines: { begin: expect.any(Number) } });
    expect(location.lines.begin).toBeGreaterThan(1);
    expect(description).toMatch(/^createPlant: [A-Z].*: expected .*, received /u);
  }
});

test('a warning of a strict run is major', () => {
  expect(report({ changes: { strict: true } }).at(-1)?.severity).toBe('major');
});

test('names a document outside the repository as the user did', () => {
  expect(report({}, () => undefined)[0]?.location.path).toBe('api.yaml');
});

test('a clean run has no issues, and an incomplete one is an issue', () => {
  const events = createRunEvents({ findings: [] });
  expect(report({ events })).toEqual([]);
  expect(report({ events, why: `gone, said ${runSecret}` })).toEqual([
    {
      description: 'gone, said [secret]',
      check_name: 'cannot-judge',
      fingerprint: 'cannot-judge',
      severity: 'blocker',
      location: { path: 'spec/plant-store.yaml', lines: { begin: 1 } },
    },
  ]);
});

test('describes a finding in one bounded line, whatever the service responded', () => {
  const hostile = `${hostileText}\n${'x'.repeat(2_000)}`;
  const [issue] = report({
    events: createRunEvents({
      findings: findings()
        .slice(0, 1)
        .map((found) => ({ ...found, finding: { ...found.finding, received: hostile } })),
    }),
  });
  // eslint-disable-next-line no-control-regex -- what a line is not to hold
  expect(issue?.description).not.toMatch(/[\u0000-\u001F\u202E]/u);
  expect(issue?.description).toHaveLength(501);
});

test('writes nothing of a run that never began', () => {
  expect(
    writeReport((options) => createGitlabReport({ ...options, nameInRepository: inRepository }), {
      events: [],
    }),
  ).toBe('');
});
