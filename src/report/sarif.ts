import { escapeControls } from '../errors/console-text.ts';
import { createRedactor } from '../http/redact.ts';
import type { FoundCause } from '../events/events.ts';
import { type CollectedRun, createEndReport } from './collect.ts';
import { docsOf, type FindingView, viewFaults } from './view/finding-view.ts';
import { findPlace, type ReportedPlace, type RepositoryOptions } from './view/place.ts';
import type { Report } from './report.ts';
import { listRunProblems } from './test-cases.ts';
import { listCommands, listFacts } from './text/finding.ts';
import { escapeMarkdown, fenceCode, renderCommands } from './text/markdown.ts';
import { renderVerdict } from './text/summary.ts';
import { judgeRun } from './text/verdict.ts';

/** A part of the report; the sections in comments are those of SARIF 2.1.0. */
type SarifPart = Readonly<Record<string, unknown>>;

/**
 * Creates the report for code scanning and editors: SARIF 2.1.0, written when the run ends. A check is a rule, a
 * finding a result at the line of the document that it refers to.
 */
export function createSarifReport(options: RepositoryOptions): Report {
  return createEndReport(options, (run) => {
    options.write(toRun(run, options));
  });
}

/** Returns the text of a log with one run of Cloche. */
export function toSarifLog(
  {
    results,
    rules,
    toolVersion,
  }: {
    readonly results: readonly SarifPart[];
    readonly rules: readonly SarifPart[];
    readonly toolVersion: string;
  },
  others: SarifPart,
): string {
  const driver = { name: 'Cloche', semanticVersion: toolVersion, rules };
  const log = {
    version: '2.1.0',
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results, ...others }],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function toRun(run: CollectedRun, options: RepositoryOptions): string {
  const { text } = createRedactor(options.secrets);
  const views = viewFaults(run.result.findings, options).flatMap(({ first, others }) => [first, ...others]);
  const rules = [...new Map(views.map((view) => [view.found.finding.check, view])).values()];
  const hasBaseline = usesBaseline(run);
  const log = {
    results: views.map((view) => toResult(view, options, hasBaseline)),
    rules: rules.map((view) => toRule(view)),
    toolVersion: options.toolVersion,
  };
  return toSarifLog(log, {
    // Runs of several documents have several categories (§3.17.3): a slash ends the last component.
    automationDetails: { id: `cloche/${text(run.started.contract.title).replaceAll('/', '-')}/` },
    invocations: [toInvocation(run, options)],
    properties: {
      target: text(run.started.target),
      ...(run.kind === 'suites' ? { seed: run.result.seed } : {}),
      gone: run.result.gone.map(({ id }) => id),
    },
  });
}

/** Returns whether the findings were compared with a baseline that has entries. */
function usesBaseline({ result }: CollectedRun): boolean {
  const findings: readonly FoundCause[] = result.findings;
  const isListed = findings.some(({ known, expired }) => known !== undefined || expired !== undefined);
  return isListed || result.gone.length > 0 || result.baselineUpdate !== undefined;
}

/**
 * Escapes a text for a message (§3.11): `{0}` would be a placeholder, and `[a](b)` a link. Other braces stay single,
 * because common viewers do not decode `{{`.
 */
export function toSarifText(text: string): string {
  const shown = text.split('\n').map(escapeControls).join('\n');
  return toMarkdown(shown).replaceAll('](', String.raw`\](`);
}

/** Escapes placeholders in Markdown whose texts are escaped. */
function toMarkdown(markdown: string): string {
  return markdown.replaceAll(/\{(\d+)\}/gu, '{{$1}}');
}

function toRule({ found, level }: FindingView): SarifPart {
  const { title, place, finds, example } = docsOf(found.finding);
  const lines = [finds, `Checked against: ${place}`, 'For example:'];
  const messages = [example.request, example.answer];
  return {
    id: found.finding.check,
    shortDescription: { text: toSarifText(title) },
    fullDescription: { text: toSarifText(finds) },
    help: {
      text: toSarifText([...lines, ...messages].join('\n\n')),
      markdown: toMarkdown(
        [...lines.map(escapeMarkdown), ...messages.map((message) => fenceCode([message]))].join('\n\n'),
      ),
    },
    defaultConfiguration: { level: level === 'violation' ? 'error' : 'warning' },
  };
}

function toInvocation(run: CollectedRun, options: RepositoryOptions): SarifPart {
  const { end, result, startedAt } = run;
  const { isWhole } = end;
  const { passes } = judgeRun(result, isWhole, options);
  const problems = listRunProblems(run, options);
  const exitCode = result.interrupted ? 130 : Number(!passes);
  return {
    executionSuccessful: isWhole && !result.interrupted,
    // The exit code of an incomplete run depends on the error that ended it.
    ...(isWhole || result.interrupted ? { exitCode } : {}),
    exitCodeDescription: renderVerdict(run, { ...options, isWhole }),
    commandLine: options.command,
    startTimeUtc: new Date(startedAt).toISOString(),
    endTimeUtc: new Date(startedAt + result.durationMs).toISOString(),
    toolExecutionNotifications: problems.map(({ type, message }) => ({
      descriptor: { id: type },
      level: 'error',
      message: { text: toSarifText(message) },
    })),
  };
}

function toResult(view: FindingView, options: RepositoryOptions, hasBaseline: boolean): SarifPart {
  const { found, known, title, operation, id, replay, requests } = view;
  const isListed = known !== undefined || found.expired !== undefined;
  const facts = listFacts(view);
  const heading = `${title} (${operation})`;
  const place = findPlace(view, options);
  return {
    ruleId: found.finding.check,
    level: view.severity,
    message: {
      // Viewers with little room show the first sentence.
      text: toSarifText([`${heading}.`, ...facts, ...listCommands(view)].join('\n')),
      markdown: toMarkdown(
        [`**${escapeMarkdown(heading)}**`, ...facts.map(escapeMarkdown), renderCommands(view, longest)].join(
          '\n\n',
        ),
      ),
    },
    locations: [
      { ...(place && toSarifLocation(place)), logicalLocations: [{ name: operation, kind: 'operation' }] },
    ],
    partialFingerprints: { 'clocheFinding/v1': id },
    occurrenceCount: view.count,
    // With a list, also an empty one, a reader knows that no other suppressions exist (§3.27.23).
    suppressions:
      known === undefined ? [] : [{ kind: 'external', status: 'accepted', justification: known.reason }],
    ...(hasBaseline ? { baselineState: isListed ? 'unchanged' : 'new' } : {}),
    properties: {
      fault: view.fault,
      ...('suite' in found ? { suite: found.suite, property: found.property } : {}),
      requests,
      ...(replay === undefined ? {} : { replay }),
    },
  };
}

/** The maximum length of a request in Markdown. */
const longest = 8_000;

/** Returns the location of a place (§3.28): a path in the repository, or the file or URL as the user named it. */
export function toSarifLocation({ path, file, line, column }: ReportedPlace): SarifPart {
  const encode = (name: string): string => name.split(/[\\/]/u).map(encodeURIComponent).join('/');
  const outside = /^https?:/iu.test(file) ? new URL(file).href : encode(file);
  return {
    physicalLocation: {
      artifactLocation: path === undefined ? { uri: outside } : { uri: encode(path), uriBaseId: '%SRCROOT%' },
      region: { startLine: line, startColumn: column },
    },
  };
}
