import { afterAll, expect, test } from 'vitest';
import { drawCases } from '../fixtures/draw-cases.ts';
import { type FindingCost, judgeService } from '../fixtures/judge-service.ts';
import { loadCatalogue } from '../fixtures/services/catalogue.js';
import type { FaultyService } from '../fixtures/services/service.ts';
import type { Finding } from '../src/check/finding.ts';
import { exitCodeOf } from '../src/cli/reports.ts';

const catalogue = await loadCatalogue();
const faulty = drawCases(catalogue.faulty, 6);
const warned = drawCases(catalogue.warned, 6);

/** What it took to find a fault. */
interface Kill extends FindingCost {
  readonly id: string;
  readonly finding: Finding;
}
const kills: Kill[] = [];
const warnedOn: string[] = [];

function describeFinding({ check, expected, received, cause, trigger }: Finding): string {
  return `${check}: expected ${expected}; received ${received}; cause ${cause}; trigger ${trigger ?? 'none'}`;
}

/** Whether a finding was made for the fault, not for what else a service may do wrong. */
function isOfFault(service: FaultyService, finding: Finding): boolean {
  return finding.check === service.expects && describeFinding(finding).includes(service.where ?? '');
}

test.each(faulty)('$title is found by $expects ($id)', async (service) => {
  const own: Finding[] = [];
  const others: Finding[] = [];
  const isSought = (finding: Finding, cost: FindingCost): boolean => {
    if (finding.level !== 'violation') return false;
    if (!isOfFault(service, finding)) {
      others.push(finding);
      return false;
    }
    own.push(finding);
    if (own.length === 1) {
      kills.push({ id: service.id, finding, ...cost });
    }
    return true;
  };
  // A slow machine may be slow for longer than a hang is waited for.
  const patience = service.expects === 'timed-out' ? { timeoutMs: 1_000 } : {};
  await judgeService({ service, isSought, ...patience });
  const wrong = others.filter(({ check }) => service.also?.[check] === undefined);
  expect({ found: own.length > 0, wrong: wrong.map(describeFinding) }).toEqual({ found: true, wrong: [] });
});

test.each(warned)('nothing but $expects on a service that $title ($id)', async (service) => {
  const result = await judgeService({ service });
  const levels = result.findings.map(({ finding }) => `${finding.level} ${finding.check}`);
  expect([...new Set(levels)]).toEqual([`warning ${service.expects}`]);
  expect([exitCodeOf(result, { strict: false }), exitCodeOf(result, { strict: true })]).toEqual([0, 1]);
  warnedOn.push(service.id);
});

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

function renderKill({ id, finding, requests, ms }: Kill): string {
  const trigger = finding.trigger ?? finding.cause;
  return [
    id.padEnd(30),
    finding.check.padEnd(24),
    trigger.slice(0, 70).padEnd(70),
    String(requests).padStart(5),
    `${ms.toFixed(0).padStart(5)} ms`,
  ].join('  ');
}

function renderCost(title: string, pick: (values: readonly number[]) => number): string {
  const requests = pick(kills.map((kill) => kill.requests));
  const ms = pick(kills.map((kill) => kill.ms));
  return `${title}: ${requests} requests, ${ms.toFixed(0)} ms`;
}

afterAll(() => {
  const lines = [
    '',
    `Seed ${process.env['CLOCHE_TEST_SEED'] ?? 1}. Fault, the check that found it, what of the request shows it, requests, time:`,
    ...kills.map(renderKill),
    renderCost('Median', median),
    renderCost('Worst', (values) => Math.max(...values)),
    `${kills.length} of ${faulty.length} faults found by their own checks, ${warnedOn.length} of ${warned.length} services warned of and nothing else`,
    '',
  ];
  process.stdout.write(lines.join('\n'));
});
