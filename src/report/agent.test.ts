import { expect, test } from 'vitest';
import {
  createRunEvents,
  findSecrets,
  hostileText,
  runSecret,
  writeReport,
} from '../../fixtures/create-run-events.ts';
import type { RunFinding } from '../events/events.ts';
import { createAgentReport } from './agent.ts';

function report(input: Parameters<typeof writeReport>[1] = {}): string {
  const text = writeReport(
    (options) =>
      createAgentReport({ ...options, nameInRepository: (file) => file.slice(file.lastIndexOf('spec/')) }),
    input,
  );
  expect(findSecrets(text)).toEqual([]);
  return text;
}

test('begins with the verdict, and lists the causes that fail the run, the most severe first', () => {
  const lines = report().split('\n');
  expect(lines[0]).toMatch(/^# FAIL: 3 violations and 1 warning/u);
  expect(lines.filter((line) => line.startsWith('## '))).toEqual([
    expect.stringMatching(/^## `createPlant: The service failed` \(`server-error-[\da-f]+`, violation\)$/u),
    expect.stringMatching(/\(`response-schema-[\da-f]+`, violation\)$/u),
    expect.stringMatching(/\(`timed-out-[\da-f]+`, violation\)$/u),
    expect.stringMatching(/, warning\)$/u),
    '## 1 known fault that may pass',
  ]);
  expect(lines.join('\n')).toMatch(
    /\n\nThe warnings below do not fail the run, unless it is started with `--strict`\.\n\n## .*, warning\)\n/u,
  );
});

test('shows the line of the document, the rule, the response, the request and the replay of a cause', () => {
  const text = report();
  expect(text).toMatch(/^look at spec\/plant-store\.yaml:\d+$/mu);
  expect(text).toMatch(/^expected .+\nreceived .+\nby .+$/mu);
  expect(text).toMatch(/^response body .+$/mu);
  expect(text).toMatch(/^curl -sSi .+\n(?:.*\n)*?npx cloche test .* --seed 7 --path '[^']+'\n```$/mu);
  expect(text).toContain("export CLOCHE_TOKEN='the token'");
});

test('a run without findings is its verdict and its size', () => {
  const lines = report({ events: createRunEvents({ findings: [] }) })
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^# PASS/u);
});

test('says why a run is incomplete, without its secrets', () => {
  expect(report({ why: `http://127.0.0.1:9/ said ${runSecret}` })).toContain(
    '`http://127.0.0.1:9/ said [secret]`',
  );
});

test('keeps the words of a document and a service out of the text beside blocks of code', () => {
  const events = createRunEvents().map((event) =>
    event.kind === 'run-started'
      ? { ...event, contract: { ...event.contract, title: `A\n\n## B ${hostileText}` } }
      : event,
  );
  const beside = report({ events }).replaceAll(/^(`{3,})console\n[\s\S]*?\n\1$/gmu, '');
  expect(beside).not.toMatch(/^## B/mu);
  expect(beside.replaceAll(/`[^`\n]*`/gu, '')).not.toContain('script');
});

test('shows ten causes, warnings last, and only names the others', () => {
  const last = createRunEvents().at(-1);
  const [found] = last?.kind === 'run-finished' ? last.result.findings : [];
  if (found === undefined) throw new Error('the faked run found nothing');
  const make = (index: number, level: 'violation' | 'warning' = 'violation'): RunFinding => ({
    ...found,
    id: `server-error-${String(index).padStart(12, '0')}`,
    finding: { ...found.finding, level, operation: `create${index}`, cause: `cause ${index}` },
  });
  const many = Array.from({ length: 30 }, (_, index) => make(index));
  const text = report({ events: createRunEvents({ findings: many }) });
  expect(text).toContain('## 20 more causes to fix after these\n\n- `server-error-000000000010`');
  expect(text.match(/^## `create\d+/gmu)).toHaveLength(10);
  const mixed = Array.from({ length: 14 }, (_, index) => make(index, index < 8 ? 'violation' : 'warning'));
  const few = report({ events: createRunEvents({ findings: mixed }) });
  expect(few.match(/^## `create\d+.*, \w+\)$/gmu)?.map((line) => line.slice(line.lastIndexOf(' ')))).toEqual([
    ...Array.from({ length: 8 }, () => ' violation)'),
    ' warning)',
    ' warning)',
  ]);
  expect(few).toMatch(/^## 4 more warnings\n\n- `server-error-0000000000\d\d`/mu);
});
