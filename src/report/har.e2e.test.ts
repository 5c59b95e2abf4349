import { expect, test } from 'vitest';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { createReportOptions } from '../../fixtures/create-run-events.ts';
import { judgeRecording } from '../../fixtures/judge-recording.ts';
import { judgeService } from '../../fixtures/judge-service.ts';
import { loadCatalogue } from '../../fixtures/services/catalogue.js';
import type { Service } from '../../fixtures/services/service.ts';
import type { Finding } from '../check/finding.ts';
import { createHarReport } from './har.ts';

const { faulty, conforming } = await loadCatalogue();
const token = 'the-token-of-the-tests';

function pick<S extends Service>(services: readonly S[], id: string): S {
  const service = services.find((one) => one.id === id);
  if (service === undefined) throw new Error(`there is no service ${id}`);
  return service;
}

function nameViolations(findings: readonly { readonly finding: Finding }[]): readonly string[] {
  const violations = findings.filter(({ finding }) => finding.level === 'violation');
  return [...new Set(violations.map(({ finding }) => finding.check))].toSorted();
}

/** The checks that a run breaks, and those that the record of the same run does. */
async function judgeTwice(
  service: Service,
): Promise<{ readonly run: readonly string[]; readonly recorded: readonly string[] }> {
  const pieces: string[] = [];
  const har = createHarReport({
    ...createReportOptions((text) => pieces.push(text)),
    secrets: [],
    headers: [],
  });
  const run = await judgeService({ service, runs: 5, emit: har.read });
  har.end({ isWhole: true });
  const recorded = judgeRecording(new TextEncoder().encode(pieces.join('')), {
    tokens: [token],
    given: { 'accepted-tokens': 'listed' },
  });
  return { run: nameViolations(run.findings), recorded: nameViolations(recorded.findings) };
}

test.each(drawCases(['404-for-invalid', '500-on-form', 'answer-empty', 'any-token', 'address-trusted'], 3))(
  'the record of a run on a service with a fault shows what the run found: %s',
  async (id) => {
    const service = pick(faulty, id);
    const { run, recorded } = await judgeTwice(service);
    expect(recorded).toEqual(run);
    expect(recorded).toContain(service.expects);
  },
);

test.each(drawCases(['duplicate-keep-first', 'credentials-401-html', 'gzip'], 2))(
  'the record of a run on a conforming service accuses it of nothing: %s',
  async (id) => {
    const { recorded } = await judgeTwice(pick(conforming, id));
    expect(recorded).toEqual([]);
  },
);
