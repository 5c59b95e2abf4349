import { createRedactor, type Redactor } from '../http/create-redactor.ts';
import type { Conclusions, FoundCause } from '../runner/run-event.ts';
import { type CollectedRun, type CollectedSuites, type CollectedTraffic, collectRun } from './collect-run.ts';
import { failsRun } from './fails-run.ts';
import { parityToJson } from './parity/parity-to-json.ts';
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

function observationsToJson({ observations }: Conclusions, redactor: Redactor): readonly JsonPart[] {
  return observations.map(({ finding, count }) => ({
    check: finding.check,
    operation: finding.operation,
    ...(finding.clause.kind === 'policy' ? { question: finding.clause.question } : {}),
    received: redactor.text(finding.received),
    count,
  }));
}

function countFindings(findings: readonly FoundCause[], options: ReportOptions): JsonPart {
  const count = (level: string): number =>
    findings.filter(({ finding, known }) => finding.level === level && known === undefined).length;
  return {
    fails: findings.some((found) => failsRun(found, options)),
    violations: count('violation'),
    advice: count('advice'),
    known: findings.filter(({ known }) => known !== undefined).length,
  };
}

/** What only a run of suites has. */
function suitesToJson(
  { started, result }: CollectedSuites,
  options: ReportOptions,
  redactor: Redactor,
): JsonPart {
  const messages = { redactor, headers: options.headers };
  return {
    seed: result.seed,
    keys: { from: result.keys[0], to: result.keys[1] },
    replayed: options.replayed ?? null,
    figures: {
      durationMs: result.durationMs,
      requests: result.requests,
      properties: started.properties,
      plannedCases: started.cases,
      cases: result.properties.reduce((sum, { cases }) => sum + cases, 0),
      waits: result.waits,
    },
    suspects: result.brokenOff.map(({ exchange }) => requestToJson(exchange.request, messages)),
    properties: result.properties,
    ...(result.parity === undefined ? {} : { parity: parityToJson(result.parity, redactor) }),
  };
}

/** What only judged traffic has. */
function trafficToJson({ started, result }: CollectedTraffic, redactor: Redactor): JsonPart {
  return {
    from: redactor.text(started.from),
    figures: {
      durationMs: result.durationMs,
      judged: result.judged,
      unjudged: result.unjudged.reduce((sum, { count }) => sum + count, 0),
    },
    unjudged: redactDeep(result.unjudged, redactor),
  };
}

function toJson(run: CollectedRun, options: ReportOptions): JsonPart {
  const { started, result } = run;
  const redactor = createRedactor(options.secrets);
  return {
    $schema: schemaId,
    version: 1,
    kind: run.kind,
    tool: { name: 'cloche', version: options.toolVersion },
    contract: {
      title: started.contract.title,
      version: started.contract.version,
      source: redactor.text(options.source),
    },
    target: redactor.text(started.target),
    command: options.command,
    startedAt: new Date(run.startedAt).toISOString(),
    strict: options.strict,
    end: endToJson(run, redactor),
    verdict: countFindings(result.findings, options),
    ...(run.kind === 'traffic' ? trafficToJson(run, redactor) : suitesToJson(run, options, redactor)),
    findings: result.findings.map((found) => findingToJson(found, options, redactor)),
    gone: result.gone,
    observations: observationsToJson(result, redactor),
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
