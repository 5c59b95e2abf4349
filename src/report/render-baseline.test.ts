import { expect, test } from 'vitest';
import { createPaint } from '../errors/console-text.ts';
import type { RunFinding } from '../runner/events.ts';
import { renderBaseline, renderVerdict } from './text/summary.ts';

const plain = { paint: createPaint(false), width: undefined };
const id = 'server-error-0123456789ab';
const finding = { check: 'server-error', level: 'violation', operation: 'create' };
const known = { id, reason: 'the old database', expires: '2026-12-31' };
// `as`: nothing else of a finding is looked at.
const found = { id, finding, count: 7, known } as unknown as RunFinding;

test('tells known findings apart, with the reason and the day', () => {
  expect(renderBaseline({ findings: [found], gone: [] }, plain)).toEqual([
    '',
    'Known, and let pass by the baseline:',
    `  violation The service failed [${id}] create, seen 7×`,
    '    the old database, until 2026-12-31',
  ]);
});

test('names what is no longer seen', () => {
  const gone = [{ id, title: 'The service failed (create)' }];
  expect(renderBaseline({ findings: [], gone }, plain)).toEqual([
    '',
    'No longer seen, so take them out of the baseline:',
    `  ${id} The service failed (create)`,
  ]);
});

test('says nothing where there is no baseline', () => {
  const { known: _, ...fresh } = found;
  expect(renderBaseline({ findings: [fresh], gone: [] }, plain)).toEqual([]);
});

test('counts known findings apart in the verdict', () => {
  const { known: _, ...fresh } = found;
  const options = { paint: plain.paint, isWhole: true };
  const verdict = (findings: readonly RunFinding[]): string =>
    renderVerdict({ findings, interrupted: false }, options);
  expect(verdict([found])).toBe('No new violation, no advice; 1 known.');
  expect(verdict([found, fresh])).toBe('1 violation, no advice; 1 known.');
  expect(verdict([])).toBe('No violation, no advice.');
});
