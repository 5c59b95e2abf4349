import { createRedactor, type Redactor } from '../http/create-redactor.ts';
import type { RunResult } from '../runner/run-event.ts';
import { type CollectedRun, collectRun } from './collect-run.ts';
import { failsRun } from './fails-run.ts';
import type { Report } from './report.ts';
import type { ReportOptions } from './report-options.ts';
import { findingToJson } from './json/json-finding.ts';
import { requestToJson } from './json/json-message.ts';
import type { JsonPart } from './json/json-part.ts';

/** The name of the schema that every report of this version fits, `schema/report.schema.json`. */
const schemaId = 'urn:cloche:report:1';

/** The same value with the secrets in its texts hidden, at whichever depth. */
function redactDeep(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') {
    return redactor.text(value);
  }
  if (Array.isArray(value)) {
    return value.map((item) => redactDeep(item, redactor));
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redactDeep(member, redactor)]))
    : value;
}

function endToJson({ end, result }: CollectedRun, redactor: Redactor): JsonPart {
  const kind = result.interrupted ? 'interrupted' : end.isWhole ? 'whole' : 'broken-off';
  return { kind, ...(end.why === undefined ? {} : { why: redactor.text(end.why) }) };
}

function observationsToJson({ observations }: RunResult, redactor: Redactor): readonly JsonPart[] {
  return observations.map(({ finding, count }) => ({
    check: finding.check,
    operation: finding.operation,
    ...(finding.clause.kind === 'policy' ? { question: finding.clause.question } : {}),
    received: redactor.text(finding.received),
    count,
  }));
}

function countFindings({ findings }: RunResult, options: ReportOptions): JsonPart {
  const count = (level: string): number =>
    findings.filter(({ finding, known }) => finding.level === level && known === undefined).length;
  return {
    fails: findings.some((found) => failsRun(found, options)),
    violations: count('violation'),
    advice: count('advice'),
    known: findings.filter(({ known }) => known !== undefined).length,
  };
}

function toJson(run: CollectedRun, options: ReportOptions): JsonPart {
  const { started, result } = run;
  const redactor = createRedactor(options.secrets);
  const messages = { redactor, headers: options.headers };
  return {
    $schema: schemaId,
    version: 1,
    tool: { name: 'cloche', version: options.toolVersion },
    contract: {
      title: started.contract.title,
      version: started.contract.version,
      source: redactor.text(options.source),
    },
    target: redactor.text(started.target),
    command: options.command,
    startedAt: new Date(run.startedAt).toISOString(),
    seed: result.seed,
    keys: { from: result.keys[0], to: result.keys[1] },
    strict: options.strict,
    replayed: options.replayed ?? null,
    end: endToJson(run, redactor),
    verdict: countFindings(result, options),
    figures: {
      durationMs: result.durationMs,
      requests: result.requests,
      properties: started.properties,
      plannedCases: started.cases,
      cases: result.properties.reduce((sum, { cases }) => sum + cases, 0),
      waits: result.waits,
    },
    findings: result.findings.map((found) => findingToJson(found, options, redactor)),
    gone: result.gone,
    suspects: result.brokenOff.map(({ exchange }) => requestToJson(exchange.request, messages)),
    observations: observationsToJson(result, redactor),
    properties: result.properties,
    notChecked: redactDeep(result.notChecked, redactor),
    coverage: redactDeep(result.coverage, redactor),
  };
}

/**
 * Creates the report for programs: one JSON object, written when the run ends, that fits the published schema
 * (`cloche/report.schema.json`). Bodies are texts in it, so that no digit is lost.
 */
export function createJsonReport(options: ReportOptions): Report {
  const run = collectRun(options);
  return {
    read: run.read,
    end(end) {
      const collected = run.close(end);
      if (collected !== undefined) {
        options.write(`${JSON.stringify(toJson(collected, options), undefined, 2)}\n`);
      }
    },
  };
}
