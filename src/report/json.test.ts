import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import {
  createReportOptions,
  createRunEvents,
  findSecrets,
  runKey,
  writeReport,
} from '../../fixtures/create-run-events.ts';
import type { RunEvent } from '../events/events.ts';
import { createJsonReport } from './json.ts';

const schema = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('cloche/report.schema.json'), 'utf8'),
);

/** The published schema lets pass what it does not name; ours is to name all that there is. */
function close(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(close);
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.fromEntries(Object.entries(part).map(([key, member]) => [key, close(member)]));
  return 'properties' in part && 'type' in part ? { ...members, unevaluatedProperties: false } : members;
}

// A union is a closed list of kinds, so that its branches name no type.
const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
addFormats.default(ajv);
const validateOpen = ajv.compile(schema);
// `as`: the same schema, closed, is a schema too.
const validate = ajv.compile({ ...(close(schema) as object), $id: 'urn:closed:report' });

function report(input: Parameters<typeof writeReport>[1] = {}) {
  const text = writeReport(createJsonReport, input);
  const value = JSON.parse(text);
  validate(value);
  expect(validate.errors).toBeNull();
  expect(validateOpen({ ...value, tomorrow: 1 })).toBe(true);
  return { text, value };
}

test('tells a run in one object that fits the published schema', () => {
  const { value } = report();
  expect(value).toMatchObject({
    version: 1,
    tool: { name: 'cloche', version: '0.1.0' },
    contract: { title: 'Plant Store', source: 'api.yaml' },
    seed: 7,
    startedAt: '2026-11-21T09:30:00.250Z',
    end: { kind: 'whole' },
    verdict: { fails: true, violations: 3, warnings: 1, known: 1 },
    figures: { requests: 1_200, durationMs: 1_234.5, waits: 1, plannedCases: 60, cases: 60 },
    gone: [{ id: 'status-range-0123456789ab', reason: 'mended in May' }],
  });
});

test('shows a finding with its clause, its exchange and what shows it again', () => {
  const [first, second] = report().value.findings;
  expect(first).toMatchObject({
    check: 'server-error',
    level: 'violation',
    fails: true,
    suite: 'valid-bodies',
    clause: { kind: 'rfc', section: '15.6' },
    count: 32,
    known: null,
    exchange: { answer: { kind: 'response', status: 500, body: { encoding: 'utf-8' } } },
    replay: {
      seed: 7,
      command: "npx cloche test http://127.0.0.1:8080/base --seed 7 --path 'valid-bodies/create.extreme:4:2'",
    },
  });
  // The digits of a number past 2^53 are those that were sent.
  expect(first.exchange.request.body.text).toMatch(/^\{"id":9007199254740993,/u);
  expect(second.clause).toMatchObject({ kind: 'document', file: 'api.yaml', line: expect.any(Number) });
  expect(second.requests).toHaveLength(2);
  expect(second.requests[1].curl).toContain('Authorization: Bearer $CLOCHE_TOKEN');
  expect(second.requests[1].headers.map(({ name }: { name: string }) => name)).toEqual([
    'Authorization',
    'Content-Type',
    'X-Api-Key',
  ]);
});

test('tells what is known and may pass from what is new', () => {
  const known = report().value.findings.find(({ check }: { check: string }) => check === 'echo');
  expect(known).toMatchObject({
    fails: false,
    known: { id: known.id, reason: 'names are stored in lower case', expires: '2027-01-31' },
  });
  const strict = report({ changes: { strict: true } }).value.findings;
  expect(strict.map(({ fails }: { fails: boolean }) => fails)).toEqual([true, true, true, false, true]);
});

test('says where what is refused begins, and which entry of the baseline has expired', () => {
  const { findings } = report().value;
  expect(findings.at(-1).boundary).toEqual({
    what: 'length',
    place: '/name',
    accepted: 255,
    refused: 256,
    unit: 'unknown',
    words: 'name longer than 255 characters',
  });
  expect(findings[1]).toMatchObject({ fails: true, expired: { expires: '2026-10-31' } });
});

test('holds content that is no UTF-8 in base64', () => {
  const events = createRunEvents();
  const binary = events.find(
    (event) => event.kind === 'exchange' && event.judged.findings[0]?.check === 'response-media-type',
  );
  const judged = binary?.kind === 'exchange' ? binary.judged : undefined;
  const [finding] = events.flatMap((event) => (event.kind === 'finding' ? [event.finding] : []));
  if (judged === undefined || finding === undefined) throw new Error('the faked run has no such exchange');
  const changed = createRunEvents({
    findings: [{ ...finding, exchange: judged, requests: [judged.exchange.request] }],
  });
  const { value, text } = report({ events: changed });
  expect(findSecrets(text)).toEqual([]);
  const { request } = value.findings[0].exchange;
  expect(request.body.encoding).toBe('base64');
  expect(Buffer.from(request.body.text, 'base64').toString('latin1')).toBe('{\u00FF\u00FE}[secret]');
});

test('hides every secret', () => {
  const { text } = report({
    why: `it answers nothing to ${createReportOptions(() => undefined).secrets[0]}`,
  });
  expect(findSecrets(text)).toEqual([]);
  expect(text).not.toContain(runKey);
});

test('tells a run that broke off before it came to anything, and why', () => {
  const events = createRunEvents().filter(({ kind }: RunEvent) => kind !== 'run-finished');
  const { value } = report({ events, why: 'Failed to judge it.' });
  expect(value.end).toEqual({ kind: 'broken-off', why: 'Failed to judge it.' });
  expect(value.findings).toHaveLength(5);
  expect(value.figures.requests).toBe(8);
});

test('says that a run was interrupted', () => {
  const { value } = report({ events: createRunEvents({ interrupted: true }) });
  expect(value.end).toEqual({ kind: 'interrupted' });
});

test('writes nothing of a run that never began', () => {
  expect(writeReport(createJsonReport, { events: [] })).toBe('');
});
