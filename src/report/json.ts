import { addDefaultHeaders, type Answer, type HeaderList, type HttpRequest } from '../http/message.ts';
import type { LatencyResult } from '../events/latency.ts';
import { createRedactor, type Redactor } from '../http/redact.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import type { Contract } from '../contract/contract.ts';
import { fingerprint } from '../json/fingerprint.ts';
import { stringifyJson } from '../json/print.ts';
import type { Conclusions, FoundCause, ParityResult, RunItems } from '../events/events.ts';
import {
  type CollectedRun,
  type CollectedSuites,
  type CollectedTraffic,
  createEndReport,
} from './collect.ts';
import { viewLeftItems } from './view/curl-lines.ts';
import { type FindingView, isOfExchange, viewFaults } from './view/finding-view.ts';
import { failsRun, type Report, type ReportOptions } from './report.ts';
import { showBytes } from './format.ts';
import { renderVerdict } from './text/summary.ts';
import { judgeRun } from './text/verdict.ts';

/** A part of the report; `spec/report.schema.json` defines its content. */
type JsonPart = Readonly<Record<string, unknown>>;

/**
 * Creates the report for programs: one JSON object, written when the run ends. The published schema is
 * `cloche/report.schema.json`. Bodies are strings, because then no digit is lost.
 */
export function createJsonReport(options: ReportOptions): Report {
  return createEndReport(options, (run) =>
    options.write(`${JSON.stringify(toJson(run, options), undefined, 2)}\n`),
  );
}

function toJson(run: CollectedRun, options: ReportOptions): JsonPart {
  const { started, result, end } = run;
  const redactor = createRedactor(options.secrets);
  const kind = end.isWhole ? 'whole' : 'broken-off';
  return {
    // The name of `spec/report.schema.json`.
    $schema: 'urn:cloche:report:1',
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
    end: {
      kind: result.interrupted ? 'interrupted' : kind,
      ...(end.why === undefined ? {} : { why: redactor.text(end.why), exitCode: end.exitCode }),
    },
    verdict: verdictToJson(run, options),
    ...(run.kind === 'traffic' ? trafficToJson(run, redactor) : suitesToJson(run, options, redactor)),
    ...(run.kind === 'traffic' ? {} : shardToJson(run, options)),
    findings: viewFaults(result.findings, options).flatMap(({ first, others }) =>
      [first, ...others].map((view) => findingToJson(view, options, redactor)),
    ),
    gone: result.gone,
    notes: notesToJson(result, redactor),
    notChecked: redactDeep(result.notChecked, redactor),
    coverage: redactDeep(result.coverage, redactor),
    ...(result.latency === undefined ? {} : { latency: latencyToJson(result.latency, options, redactor) }),
  };
}

function latencyToJson(
  { limitMs, operations }: LatencyResult,
  { shard }: ReportOptions,
  redactor: Redactor,
): JsonPart {
  return {
    limitMs: limitMs ?? null,
    operations: operations.map(({ bins, ...one }) => ({
      ...one,
      operation: redactor.text(one.operation),
      ...(shard === undefined ? {} : { bins }),
    })),
  };
}

function parityToJson(parity: ParityResult, redactor: Redactor): JsonPart {
  const { name, names, compared, differing, unanswered, notCompared, proposal } = parity;
  return {
    other: redactor.text(name),
    names,
    compared,
    differing,
    unanswered,
    notCompared: notCompared.map(({ what, reason }) => ({ what, reason })),
    answers: proposal.answers,
    operations: proposal.operations,
    unsure: proposal.unsure,
  };
}

function headersToJson(headers: HeaderList, redactor: Redactor): readonly JsonPart[] {
  return redactor.headers(headers).map(([name, value]) => ({ name, value }));
}

/** Renders a request, including the headers that are added to every request. */
function requestToJson(request: HttpRequest, headers: HeaderList, redactor: Redactor): JsonPart {
  return {
    method: request.method,
    target: redactor.text(request.target),
    headers: headersToJson(addDefaultHeaders(request.headers, headers), redactor),
    body: request.body === undefined ? null : showBytes(request.body, redactor),
  };
}

function answerToJson(answer: Answer, redactor: Redactor): JsonPart {
  const { kind } = answer;
  if (kind !== 'response') {
    return {
      kind,
      ...(kind === 'timed-out' ? { afterMs: answer.afterMs } : { reason: redactor.text(answer.reason) }),
      ...(kind === 'unreachable' ? {} : { received: showBytes(answer.received, redactor) }),
    };
  }
  const { status, headers, body, undecoded, cutAfter } = answer.response;
  return {
    kind,
    status,
    headers: headersToJson(headers, redactor),
    body: showBytes(body, redactor),
    ...(undecoded === undefined ? {} : { undecoded }),
    ...(cutAfter === undefined ? {} : { cutAfter }),
    ...(answer.trailing === undefined ? {} : { trailing: showBytes(answer.trailing, redactor) }),
  };
}

function exchangeToJson(
  { exchange: { request, answer, durationMs } }: CheckedExchange,
  headers: HeaderList,
  redactor: Redactor,
): JsonPart {
  return {
    request: requestToJson(request, headers, redactor),
    answer: answerToJson(answer, redactor),
    durationMs,
  };
}

/** Renders the difference between two compared services; empty if none are compared. */
function findingParityToJson(view: FindingView, options: ReportOptions, redactor: Redactor): JsonPart {
  const { finding, elsewhere = [] } = view.found;
  if (finding.parity === undefined) return {};
  const { tested, other, answered, verdict } = finding.parity;
  const headers = options.elsewhere?.headers ?? [];
  return {
    parity: {
      tested,
      other,
      answered: redactor.text(answered),
      verdict: verdict.kind,
      words: view.verdict,
      ...(verdict.kind === 'silent'
        ? { question: verdict.question ?? null, answer: verdict.answer ?? null, unless: verdict.unless }
        : {}),
      requests: elsewhere.map((sent, index) => ({
        ...requestToJson(sent, headers, redactor),
        curl: view.elsewhere[index] ?? '',
      })),
    },
  };
}

function clauseToJson({ clause, line }: FindingView, { source }: ReportOptions): JsonPart {
  if (clause.kind !== 'document') return { ...clause };
  const { kind, file = source, pointer, quote } = clause;
  return { kind, file, pointer, ...(line && { line: line.line, column: line.column }), quote };
}

/** Renders the origin of a finding: of a run, its property and its replay; of traffic, its locations. */
function originToJson(
  { found, replay }: FindingView,
  { command }: ReportOptions,
  redactor: Redactor,
): JsonPart {
  if ('seenAt' in found) return { seenAt: redactDeep(found.seenAt, redactor) };
  const { suite, property, confirmed } = found;
  return { suite, property, confirmed, replay: { ...found.replay, command: replay ?? command } };
}

function findingToJson(view: FindingView, options: ReportOptions, redactor: Redactor): JsonPart {
  const { found } = view;
  const { check, boundary, cause, otherTriggers, docs, qualification } = found.finding;
  const { key, framing } = found.exchange.request;
  const { headers } = options;
  return {
    id: view.id,
    check,
    title: view.title,
    level: view.level,
    fails: view.fails,
    operation: view.operation,
    clause: clauseToJson(view, options),
    expected: view.expected,
    received: view.received,
    cause: redactor.text(cause),
    trigger: view.trigger ?? null,
    ...(qualification === undefined ? {} : { qualification: redactDeep(qualification, redactor) }),
    ...(otherTriggers === undefined ? {} : { otherTriggers: redactDeep(otherTriggers, redactor) }),
    ...(docs === undefined ? {} : { docs }),
    boundary: boundary === undefined ? null : { ...boundary, words: view.boundary },
    count: view.count,
    known: found.known ?? null,
    expired: found.expired ?? null,
    sideBySide: found.sideBySide === true,
    exchange: {
      ...exchangeToJson(found.exchange, headers, redactor),
      key,
      framing,
      isAlone: isOfExchange(found),
    },
    ...(found.earlier === undefined
      ? {}
      : { earlier: found.earlier.map((one) => exchangeToJson(one, headers, redactor)) }),
    requests: found.requests.map((sent, index) => ({
      ...requestToJson(sent, headers, redactor),
      curl: view.requests[index] ?? '',
      outcome: view.outcomes === undefined ? null : (view.outcomes[index] ?? ''),
    })),
    ...originToJson(view, options, redactor),
    ...findingParityToJson(view, options, redactor),
    fault: view.fault,
  };
}

/** Redacts all strings in a value, at any depth. */
function redactDeep(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.text(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redactor));
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redactDeep(member, redactor)]))
    : value;
}

function notesToJson({ notes }: Conclusions, redactor: Redactor): readonly JsonPart[] {
  return notes.map(({ finding, count }) => ({
    check: finding.check,
    operation: finding.operation,
    ...(finding.clause.kind === 'policy' ? { question: finding.clause.question } : {}),
    received: redactor.text(finding.received),
    count,
  }));
}

function verdictToJson(run: CollectedRun, options: ReportOptions): JsonPart {
  const { isWhole } = run.end;
  const { succeeded, lacksCoverage, ...verdict } = judgeRun(run.result, isWhole, options);
  const findings: readonly FoundCause[] = run.result.findings;
  return {
    ...verdict,
    fails: lacksCoverage || findings.some((found) => failsRun(found, options)),
    words: renderVerdict(run, { ...options, isWhole }),
    operations: {
      answeredWithSuccess: succeeded.done,
      of: succeeded.of,
      demandedPercent: options.minCoverage ?? null,
    },
  };
}

/** Renders the fields that only a run of suites has. */
function suitesToJson(
  { started, result }: CollectedSuites,
  options: ReportOptions,
  redactor: Redactor,
): JsonPart {
  const { headers, replayed } = options;
  return {
    seed: result.seed,
    keys: { from: result.keys[0], to: result.keys[1] },
    replayed: replayed ?? null,
    figures: {
      durationMs: result.durationMs,
      requests: result.requests,
      properties: started.properties,
      plannedCases: result.planned,
      cases: result.properties.reduce((sum, { cases }) => sum + cases, 0),
      waits: result.waits,
    },
    ...(result.items === undefined ? {} : { items: itemsToJson(result.items, options, redactor) }),
    suspects: result.brokenOff.map(({ exchange }) => requestToJson(exchange.request, headers, redactor)),
    properties: result.properties,
    ...(result.parity === undefined ? {} : { parity: parityToJson(result.parity, redactor) }),
  };
}

/** Returns the fingerprint by which the reports of one document are recognised. */
export function fingerprintDocument({ root }: Pick<Contract, 'root'>): string {
  return fingerprint(stringifyJson(root));
}

/** Renders which part of a run this is, and what a merge needs to know of its options; nothing for a whole run. */
function shardToJson(
  { started }: CollectedSuites,
  { contract, shard, secretMeanings: secrets }: ReportOptions,
): JsonPart {
  if (started.shard === undefined) return {};
  return { shard: { ...started.shard, document: fingerprintDocument(contract), ...shard, secrets } };
}

/** Renders the numbers of items, and all that were left behind. */
function itemsToJson({ left, ...tally }: RunItems, options: ReportOptions, redactor: Redactor): JsonPart {
  return {
    ...tally,
    left: viewLeftItems(left, options).map(({ curl, ...item }) => ({
      ...item,
      path: redactor.text(item.path),
      curl: curl ?? null,
    })),
  };
}

/** Renders the fields that only checked traffic has. */
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
