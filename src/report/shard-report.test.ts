import { expect, test } from 'vitest';
import { createReportOptions, createRunEvents, writeReport } from '../../fixtures/create-run-events.ts';
import type { RunEvent } from '../events/events.ts';
import { createJsonReport } from './json.ts';
import { readShardResult, type ShardReport } from './shard-report.ts';

const { contract, ...options } = createReportOptions(() => undefined);
const started = createRunEvents().flatMap((event) =>
  event.kind === 'run-started' ? [{ ...event, shard: { index: 1, total: 2, plan: 'p', untested: [] } }] : [],
);

function write(events: readonly RunEvent[], changes: Parameters<typeof writeReport>[1] = {}): ShardReport {
  // `as`: this is what the report writes.
  return JSON.parse(writeReport(createJsonReport, { events, ...changes })) as ShardReport;
}

function rewrite(report: ShardReport): ShardReport {
  const result = readShardResult(report, contract);
  const events: readonly RunEvent[] = [...started, { kind: 'run-finished', result }];
  // The header fields of every request are in the requests of the report already.
  return write(events, { changes: { headers: [], secrets: [], command: options.command } });
}

const events = [...started, ...createRunEvents().filter(({ kind }) => kind !== 'run-started')];

test('reads back a report so that it can be written again, word for word', () => {
  const first = write(events);
  const again = rewrite(first);
  expect(first.findings.length).toBeGreaterThan(3);
  expect(again.findings).toEqual(first.findings);
  expect({ ...again, startedAt: '', findings: [] }).toEqual({ ...first, startedAt: '', findings: [] });
});

test('reads earlier exchanges, content that is no UTF-8, and requests that were under way', () => {
  const [, , ...all] = createRunEvents().flatMap((event) =>
    event.kind === 'exchange' ? [event.judged] : [],
  );
  const [finding] = createRunEvents().flatMap((event) => (event.kind === 'finding' ? [event.finding] : []));
  const binary = all.find(({ exchange }) => exchange.request.body?.includes(0xff));
  if (finding === undefined || binary === undefined) throw new Error('the faked run has no such exchange');
  const changed = { findings: [{ ...finding, exchange: binary, earlier: all }], brokenOff: all };
  const first = write([...started, ...createRunEvents(changed).slice(1)]);
  const again = rewrite(first);
  expect(first.findings[0]?.earlier).toHaveLength(all.length);
  expect(again.findings).toEqual(first.findings);
  expect(again.suspects).toEqual(first.suspects);
});

test('reads how a run ended, and which differences two services have', () => {
  expect(readShardResult(write(createRunEvents({ interrupted: true })), contract).interrupted).toBe(true);
  const parity = {
    name: 'http://127.0.0.1:9',
    names: { tested: 'the service', other: 'the other service' },
    compared: 7,
    differing: 2,
    unanswered: 1,
    notCompared: [{ what: 'races/create', reason: 'chance' }],
    proposal: { answers: { 'duplicate-key': 'replace' }, operations: {}, unsure: [] },
  } as const;
  const { parity: read } = readShardResult(write(createRunEvents({ parity })), contract);
  expect(read).toEqual(parity);
});
