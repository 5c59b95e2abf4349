import { expect, test } from 'vitest';
import {
  createRunEvents,
  findSecrets,
  hostileText,
  runSecret,
  writeReport,
} from '../../fixtures/create-run-events.ts';
import type { RunEvent, RunFinding, RunResult } from '../events/events.ts';
import { createMarkdownReport } from './markdown.ts';

function report(input: Parameters<typeof writeReport>[1] = {}): string {
  const text = writeReport(
    (options) =>
      createMarkdownReport({ ...options, nameInRepository: (file) => file.slice(file.lastIndexOf('spec/')) }),
    input,
  );
  expect(findSecrets(text)).toEqual([]);
  return text;
}

function findings(): RunResult['findings'] {
  const last = createRunEvents().at(-1);
  return last?.kind === 'run-finished' ? last.result.findings : [];
}

function withTitle(events: readonly RunEvent[], title: string): readonly RunEvent[] {
  return events.map((event) =>
    event.kind === 'run-started' ? { ...event, contract: { ...event.contract, title } } : event,
  );
}

/** Returns the Markdown without its blocks of code, in which markup is text. */
const withoutCode = (markdown: string): string =>
  markdown.replaceAll(/^(`{3,})console\n[\s\S]*?\n\1$/gmu, '');

test('begins with a hidden line that names the document, then the verdict and the counts', () => {
  const lines = report().split('\n');
  expect(lines[0]).toBe('<!-- cloche: Plant Store -->');
  expect(lines[2]).toMatch(/^### ❌ Cloche\\: FAIL\\: 3 violations and 1 warning/u);
  expect(report()).toMatch(/^\| 3 \| 1 \| 1 \| 1 of 1 \|$/mu);
  expect(report()).toContain(
    'No longer found, so the baseline need not list it: status-range-0123456789ab\n',
  );
});

test('folds each finding that fails the run, with its place, its request and its replay', () => {
  const comment = report();
  const folds = [...comment.matchAll(/^<details><summary>(.*)<\/summary>$/gmu)].map(([, title]) => title);
  expect(folds).toEqual([
    expect.stringMatching(/^createPlant: The service failed \(server-error-/u),
    expect.stringMatching(/^createPlant: A response broke its schema \(response-schema-/u),
    expect.stringMatching(/^createPlant: .* \(timed-out-/u),
    '2 faults that may pass',
  ]);
  expect(comment).toMatch(/^- at spec\/plant-store\.yaml\\:\d+$/mu);
  expect(comment).toContain('\ncurl -sSi ');
  expect(comment).toContain("--seed 7 --path 'valid-bodies/create.extreme:4:2'\n```");
  expect(comment).toContain(String.raw`known\: names are stored in lower case`);
});

test('a clean run is short', () => {
  const clean = report({ events: createRunEvents({ findings: [] }) });
  expect(clean).toMatch(/^### ✅ Cloche\\: PASS/mu);
  expect(clean).not.toContain('<details>');
});

test('says why a run is incomplete', () => {
  expect(report({ why: `it said ${runSecret}` })).toContain('it said \\[secret\\]');
});

test('stays within a comment of GitHub, and says how many faults it leaves out', () => {
  const [found] = findings();
  if (found === undefined) throw new Error('the faked run found nothing');
  const many = Array.from({ length: 300 }, (_, index): RunFinding => ({
    ...found,
    id: `server-error-${String(index).padStart(12, '0')}`,
    finding: {
      ...found.finding,
      operation: `operation${index}`,
      cause: `cause ${index}`,
      received: 'x'.repeat(5_000),
    },
  }));
  const comment = report({ events: createRunEvents({ findings: many }) });
  expect(comment.length).toBeLessThan(65_536);
  expect(comment.length).toBeGreaterThan(60_000);
  const shown = comment.match(/<details>/gu)?.length ?? 0;
  expect(comment).toMatch(
    new RegExp(`^${300 - shown} more faults in the other reports; a comment has no room for more\\.$`, 'mu'),
  );
  expect(comment.match(/<\/details>/gu)).toHaveLength(shown);
});

test('a request that is too long for a comment is left to the replay', () => {
  const [found] = findings();
  if (found === undefined) throw new Error('the faked run found nothing');
  const request = {
    ...found.exchange.exchange.request,
    body: Buffer.from(Array.from({ length: 2_000 }, (_, index) => index).join(' ')),
  };
  const comment = report({ events: createRunEvents({ findings: [{ ...found, requests: [request] }] }) });
  expect(comment).toContain('# The request is too long to be shown here; the replay shows it.');
});

test('nothing of a document or a service is markup, nor ends the hidden line', () => {
  const hostile = `--> ${hostileText} @team #1 [a](b) **c**\n\n<img src=x>`;
  const comment = report({
    events: withTitle(
      createRunEvents({
        findings: findings().map((found) => ({
          ...found,
          finding: {
            ...found.finding,
            operation: hostile,
            received: hostile,
            expected: hostile,
            title: hostile,
          },
        })),
      }),
      hostile,
    ),
    why: hostile,
  });
  const [first = '', ...rest] = comment.split('\n');
  expect(first).toMatch(/^<!-- cloche: [\p{L}\p{N} ]+ -->$/u);
  const outside = withoutCode(rest.join('\n'));
  expect(outside).not.toMatch(/(?<!\\)<(?!\/?(?:details|summary)>)/u);
  // Inside a summary, which is HTML, a backslash escapes nothing.
  expect(outside).not.toMatch(/<summary>[^\n]*<(?!\/summary>)/u);
  // eslint-disable-next-line no-control-regex -- what a comment is not to hold
  expect(outside).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202E]/u);
  const markdown = outside.replaceAll(/^<details>.*$/gmu, '').replaceAll(/^\|.*\|$/gmu, '');
  expect(markdown).not.toMatch(/(?<!\\)[[`*|@]/u);
});

test('writes nothing of a run that never began', () => {
  expect(report({ events: [] })).toBe('');
});
