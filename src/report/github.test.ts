import { expect, test } from 'vitest';
import {
  createRunEvents,
  findSecrets,
  hostileText,
  runSecret,
  writeReport,
} from '../../fixtures/create-run-events.ts';
import type { RunEvent } from '../events/events.ts';
import { createGithubReport, workflowCommand } from './github.ts';
import { createMarkdownReport } from './markdown.ts';

function report(input: Parameters<typeof writeReport>[1] = {}) {
  let summary = '';
  const output = writeReport(
    (options) =>
      createGithubReport({
        ...options,
        nameInRepository: (file) => file.slice(file.lastIndexOf('spec/')),
        appendSummary: (markdown) => {
          summary += markdown;
        },
      }),
    input,
  );
  expect(findSecrets(output + summary)).toEqual([]);
  return { lines: output.split('\n').filter((line) => line !== ''), summary };
}

const withCheck = (lines: readonly string[], check: string): string =>
  lines.find((line) => new RegExp(`%0A${check}-[0-9a-f]{12}$`, 'u').test(line)) ?? '';

test('every line is one command: an error, a warning for warning, a notice for what is known', () => {
  const { lines } = report();
  expect(
    lines.map((line) => /^::(\w+) file=spec\/plant-store\.yaml,line=\d+,col=\d+,title=/u.exec(line)?.[1]),
  ).toEqual(['error', 'error', 'error', 'notice', 'warning']);
  expect(withCheck(lines, 'undeclared-constraint')).toMatch(
    /^::warning .*::refused name longer than 255 characters%0A/u,
  );
});

test('warning is an error where the run is strict', () => {
  const { lines } = report({ changes: { strict: true } });
  expect(withCheck(lines, 'undeclared-constraint')).toMatch(/^::error /u);
});

test('says what is wrong, by which clause, and how to see it again', () => {
  const line = withCheck(report().lines, 'response-schema');
  expect(line).toMatch(
    /title=Cloche%3A A response broke its schema::expected content that its schema accepts: /u,
  );
  expect(line).toContain('%0Aby api.yaml#/components/schemas/Plant/properties/name/type');
  expect(line).toContain(
    "%0Anpx cloche test http://127.0.0.1:8080/base --seed 7 --path 'valid-bodies/create.extreme:4:2'",
  );
});

test('names no file that is not in the repository', () => {
  const { lines } = report({
    changes: {},
    events: createRunEvents(),
  });
  const output = writeReport((options) =>
    createGithubReport({ ...options, nameInRepository: () => undefined, appendSummary: undefined }),
  );
  expect(lines[0]).toContain('file=');
  expect(output).not.toContain('file=');
  expect(output).toMatch(/^::error title=Cloche/u);
});

test('writes the Markdown report as the summary of the step', () => {
  const nameInRepository = (file: string) => file.slice(file.lastIndexOf('spec/'));
  const comment = writeReport((options) => createMarkdownReport({ ...options, nameInRepository }));
  expect(report().summary).toBe(comment);
});

test('says that a run broke off, and why', () => {
  const [started] = createRunEvents();
  const { lines, summary } = report({
    events: [started as RunEvent],
    why: `Failed to judge "h": it turned ${runSecret} away,\n100 %.`,
  });
  expect(lines).toEqual([
    '::error title=Cloche%3A the service could not be judged::Failed to judge "h": it turned [secret] away,%0A100 %25.',
  ]);
  expect(summary).toContain('it turned \\[secret\\] away');
});

test('writes nothing of a run that never began', () => {
  expect(report({ events: [] })).toEqual({ lines: [], summary: '' });
});

test('escapes what would end a property, a command or its line', () => {
  expect(
    workflowCommand({
      level: 'error',
      title: 'a:b,c%',
      message: 'd\r\n::e::f, 100%',
      file: 'g,h.yaml',
      line: 3,
    }),
  ).toBe('::error file=g%2Ch.yaml,line=3,title=a%3Ab%2Cc%25::d\\u{d}%0A::e::f, 100%25');
});

test('is one line without marks of a terminal, whatever it says', () => {
  const line = workflowCommand({ level: 'notice', title: hostileText, message: hostileText });
  // eslint-disable-next-line no-control-regex -- what a log is not to hold
  expect(line).not.toMatch(/[\u0000-\u001F\u202E]/u);
  expect(line.startsWith('::notice title=<script>alert(1)</script>]]>&"\'\\u{0}')).toBe(true);
});
