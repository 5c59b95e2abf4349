import { describeRequest } from '../../check/describe.ts';
import type { Judged } from '../../check/reading/subject.ts';
import type { Paint } from '../../errors/console-text.ts';
import { questions } from '../../policy/questions/index.ts';
import type {
  Conclusions,
  FoundCause,
  NotChecked,
  ParityResult,
  PolicyProposal,
  ProposedAnswers,
  RunResult,
  TrafficResult,
} from '../../runner/events.ts';
import { collectAnswers } from '../collect.ts';
import type { FindingSurroundings } from '../report.ts';
import { renderCoverageLine, renderCoverageTable } from './coverage.ts';
import {
  describeTraffic,
  findingTitles,
  renderCurl,
  renderDriftHint,
  renderFinding,
  renderHint,
} from './finding.ts';
import { plural, renderYamlFlow, wrapText } from './format.ts';

type Surroundings = Pick<FindingSurroundings, 'paint' | 'width'>;

function renderKnown(
  { id, finding, count, known }: FoundCause,
  { paint, width }: Surroundings,
): readonly string[] {
  const until = known?.expires === undefined ? '' : `, until ${known.expires}`;
  const reason = known?.reason ?? 'no reason is given';
  return [
    ...wrapText(
      `  ${paint('faint', finding.level)} ${findingTitles[finding.check]} ${paint('faint', `[${id}] ${finding.operation}, seen ${count}×`)}`,
      { width, indent: 4 },
    ),
    ...wrapText(`    ${reason}${paint('faint', until)}`, { width, indent: 4 }),
  ];
}

/** What of the findings the baseline knows, and what of the baseline was not found any more. */
export function renderBaseline(
  { findings, gone }: { readonly findings: readonly FoundCause[] } & Pick<RunResult, 'gone'>,
  surroundings: Surroundings,
): readonly string[] {
  const known = findings.filter((found) => found.known !== undefined);
  const { paint, width } = surroundings;
  const lost = gone.flatMap(({ id, title }) =>
    wrapText(`  ${id}${title === undefined ? '' : ` ${paint('faint', title)}`}`, { width, indent: 4 }),
  );
  return [
    ...(known.length === 0 ? [] : ['', 'Known, and let pass by the baseline:']),
    ...known.flatMap((found) => renderKnown(found, surroundings)),
    ...(lost.length === 0 ? [] : ['', 'No longer seen, so take them out of the baseline:']),
    ...lost,
  ];
}

/** More of them than this tell nobody anything. */
const mostShown = 5;

/** Where a service went down: in words, and the requests that may have brought it down. */
interface BrokenOffWords {
  readonly sentence: string;
  readonly shown: readonly Judged[];
  /** The rest of a second sentence, empty where every request is shown. */
  readonly others: string;
}

/**
 * Says on which request the service went down, as far as that can be told.
 *
 * @returns undefined where it is still there
 */
export function describeBrokenOff({ brokenOff }: Pick<RunResult, 'brokenOff'>): BrokenOffWords | undefined {
  const [suspect] = brokenOff;
  if (suspect === undefined) return undefined;
  const words = describeRequest(suspect.request);
  const isOneKind = brokenOff.every(({ request }) => describeRequest(request) === words);
  const shown = isOneKind ? [suspect] : brokenOff.slice(0, mostShown);
  const others = isOneKind ? 0 : brokenOff.length - shown.length;
  return {
    shown,
    sentence: isOneKind
      ? `The service went down, it seems on ${words}.`
      : 'The service went down on one of these requests, which were under way together.',
    others: others > 0 ? ` There were ${plural(others, 'other')}.` : '',
  };
}

/** On which request the service went down, as far as that can be told; no lines where it is still there. */
export function renderBrokenOff(
  result: Pick<RunResult, 'brokenOff'>,
  surroundings: FindingSurroundings,
): readonly string[] {
  const words = describeBrokenOff(result);
  if (words === undefined) return [];
  const { paint, width } = surroundings;
  return [
    '',
    ...wrapText(`${paint('strong', words.sentence)}${words.others}`, { width, indent: 2 }),
    ...words.shown.map(
      ({ exchange, request }) =>
        `  ${paint('faint', 'request'.padEnd(9))} ${renderCurl(exchange.request, surroundings, { framing: request.framing })}`,
    ),
  ];
}

/** Whether something is missing where this was not checked. */
export function isApplicable({ notApplicable, reason }: NotChecked): boolean {
  // What names an operation says what that operation is in want of.
  return notApplicable !== true || reason.includes(': ');
}

function groupByReason(entries: readonly NotChecked[]): readonly string[] {
  const reasons = new Set(entries.map(({ reason }) => reason));
  return [...reasons].map((reason) => {
    const what = entries.filter((entry) => entry.reason === reason).map((entry) => entry.what);
    return `  ${what.join(', ')}: ${reason}`;
  });
}

/**
 * What was not checked for want of something, and what the document gives no occasion for.
 *
 * @param options.replayed - the property that was replayed, `suite/property`; the rest of what was left out
 *   has nothing to do with it
 */
function renderNotChecked(
  result: Pick<Conclusions, 'notChecked'>,
  options: Pick<FindingSurroundings, 'paint' | 'width'> & { readonly replayed: string | undefined },
): readonly string[] {
  const { paint, width, replayed } = options;
  const entries = result.notChecked.filter(({ what }) => replayed === undefined || what === replayed);
  const wanting = groupByReason(entries.filter(isApplicable));
  const idle = entries
    .filter((entry) => !isApplicable(entry))
    .map(({ what, reason }) => `${what} (${reason})`);
  return [
    ...(wanting.length === 0 ? [] : ['', 'Not checked:']),
    ...wanting.flatMap((line) => wrapText(line, { width, indent: 4 })),
    ...(idle.length === 0 ? [] : ['']),
    ...(idle.length === 0
      ? []
      : wrapText(`Not applicable: ${idle.join(', ')}`, { width, indent: 2 }).map((line) =>
          paint('faint', line),
        )),
  ];
}

const longestId = 22;

/** What the document leaves open and how the service answers it, one line for each question. */
function renderObservations(
  result: Pick<Conclusions, 'observations'>,
  { paint, width }: Pick<FindingSurroundings, 'paint' | 'width'>,
): readonly string[] {
  const lines = collectAnswers(result.observations).flatMap(({ question: id, answers: given }) => {
    const answers = given.map(({ answer, count }) => `${answer} ${count}×`);
    const short = `  ${id.padEnd(longestId)} ${answers.join(', ')}`;
    // The id names the question; it is asked in full where there is room for it on the line.
    const whole = `${short}  ${paint('faint', questions[id].question)}`;
    const [first = '', ...others] = wrapText(whole, { width, indent: 0 });
    return others.length === 0 ? [first] : wrapText(short, { width, indent: longestId + 3 });
  });
  return lines.length === 0 ? [] : ['', 'Left open by the document, and answered so:', ...lines];
}

function renderAnswers(answers: ProposedAnswers, indent: string): readonly string[] {
  return Object.entries(answers).map(
    ([question, answer]) => `${indent}${question}: ${renderYamlFlow(answer)}`,
  );
}

/** Answers as lines of YAML, as they stand in a policy file; none where there is nothing to add. */
function renderProposal({ answers, operations }: PolicyProposal): readonly string[] {
  const own = Object.entries(operations);
  return [
    ...(Object.keys(answers).length === 0 ? [] : ['answers:', ...renderAnswers(answers, '  ')]),
    ...(own.length === 0 ? [] : ['operations:']),
    ...own.flatMap(([operation, ofOperation]) => [
      `  ${renderYamlFlow(operation)}:`,
      ...renderAnswers(ofOperation, '    '),
    ]),
  ];
}

function renderFigures({ findings }: RunResult, { name, names, compared, differing }: ParityResult): string {
  const called = names.other === 'the mock' ? name : `${names.other}, ${name}`;
  const causes = findings.filter(({ finding }) => finding.parity !== undefined).length;
  if (causes === 0) {
    // What differs now and then, and not again, is no cause.
    const seldom = differing === 0 ? '' : `, but for ${differing} that did not show again`;
    return `Compared with ${called}: ${plural(compared, 'answer')}, all alike${seldom}.`;
  }
  return `Compared with ${called}: ${plural(compared, 'answer')}, ${differing.toLocaleString('en-US')} of them different, of ${plural(causes, 'cause')}.`;
}

/** What comparing two services came to, and the answers that would make a mock answer alike, ready to be pasted. */
function renderParity(
  result: RunResult,
  { paint, width }: Pick<FindingSurroundings, 'paint' | 'width'>,
): readonly string[] {
  const { parity } = result;
  if (parity === undefined) return [];
  const { names, proposal } = parity;
  const lines = renderProposal(proposal);
  const wish =
    names.other === 'the mock'
      ? 'To make the mock answer alike, add to the policy:'
      : `As a policy, what ${names.tested} does otherwise than ${names.other} is:`;
  const { notCompared } = parity;
  const silent =
    parity.unanswered === 0
      ? []
      : [`  ${plural(parity.unanswered, 'request')} it never answered: test it alone.`];
  const reasons = [...new Set(notCompared.map(({ reason }) => reason))].map((reason) => {
    const what = notCompared.filter((one) => one.reason === reason).map((one) => one.what);
    return paint('faint', `Not compared by ${what.join(', ')}: ${reason}.`);
  });
  const unsure =
    proposal.unsure.length === 0
      ? []
      : wrapText(
          `Of ${proposal.unsure.join(', ')} more than one answer was seen; this is the most frequent.`,
          { width, indent: 2 },
        );
  return [
    '',
    ...wrapText(paint('strong', renderFigures(result, parity)), { width, indent: 2 }),
    ...silent,
    // What is pasted is left whole.
    ...(lines.length === 0 ? [] : [wish, ...lines.map((line) => `  ${line}`), ...unsure]),
    ...reasons.flatMap((line) => wrapText(line, { width, indent: 2 })),
  ];
}

/**
 * What a run came to, in one sentence: `2 violations, no advice.`
 *
 * @param options.isWhole - false where the run ended before its end, as the service can no longer be judged
 */
export function renderVerdict(
  { findings, interrupted }: { readonly findings: readonly FoundCause[]; readonly interrupted: boolean },
  { paint, isWhole }: { readonly paint: Paint; readonly isWhole: boolean },
): string {
  const fresh = findings.filter(({ known }) => known === undefined);
  const count = (level: string): number => fresh.filter(({ finding }) => finding.level === level).length;
  const known = findings.length - fresh.length;
  const violations = count('violation');
  const advice = count('advice');
  const beginning = interrupted ? 'Interrupted: ' : isWhole ? '' : 'Broken off: ';
  const none = `${beginning === '' ? 'No' : 'no'}${known > 0 ? ' new' : ''} violation`;
  const besides = known > 0 ? `; ${known} known` : '';
  const verdict = violations > 0 ? paint('violation', plural(violations, 'violation')) : paint('good', none);
  const soFar = beginning === '' ? '' : ' so far';
  return `${beginning}${verdict}${soFar}, ${advice === 0 ? 'no advice' : plural(advice, 'piece of advice', 'pieces of advice')}${besides}.`;
}

/** What the end of a run needs besides its result. */
export interface SummaryOptions extends FindingSurroundings {
  /** What each secret is, in words, in the order of the secrets. */
  readonly secretMeanings: readonly string[];
  /** The property that was replayed, `suite/property`. */
  readonly replayed: string | undefined;
  /** The cases that were planned. */
  readonly planned: number;
  /** False where the run ended before its end, as the service can no longer be judged. */
  readonly isWhole: boolean;
  /**
   * Whether all that was exercised of the contract is told, and not only in a line.
   *
   * @defaultValue false
   */
  readonly coverage?: boolean;
}

function renderCases(cases: number, { planned, replayed }: SummaryOptions): string {
  if (replayed !== undefined || cases === planned) return plural(cases, 'case');
  const all = planned.toLocaleString('en-US');
  return cases < planned
    ? `${cases.toLocaleString('en-US')} of ${plural(planned, 'planned case')}`
    : `${plural(cases, 'case')} (${all} planned, ${(cases - planned).toLocaleString('en-US')} to narrow failures down)`;
}

/** What else may be done where a case did not show again what it had shown. */
function renderReplayHint(
  { findings, seed }: RunResult,
  { replayed, isWhole, width }: SummaryOptions,
): readonly string[] {
  if (replayed === undefined || findings.length > 0 || !isWhole) return [];
  const [suite = replayed] = replayed.split('/', 1);
  const words = `What takes other requests beside it, or comes now and then, may not show in one case: --suite ${suite} --seed ${seed} runs all of them.`;
  return wrapText(words, { width, indent: 2 });
}

/** The end of a run as lines of text: findings, silences, what was not checked, and the figures. */
export function renderSummary(result: RunResult, options: SummaryOptions): readonly string[] {
  const { paint, width } = options;
  const told = result.findings.filter(({ known }) => known === undefined);
  const findings = told.flatMap((finding) => ['', ...renderFinding(finding, options)]);
  const brokenOff = renderBrokenOff(result, options);
  const hint = renderHint([...findings, ...brokenOff], {
    meanings: options.secretMeanings,
    about: 'The requests carry keys that this run has not sent.',
  });
  const cases = result.properties.reduce((sum, property) => sum + property.cases, 0);
  const waits = result.waits > 0 ? `, asked to wait ${plural(result.waits, 'time')}` : '';
  const figures = [
    plural(result.properties.length, 'property', 'properties'),
    renderCases(cases, options),
    `${plural(result.requests, 'request')} in ${(result.durationMs / 1_000).toFixed(1)} s${waits}`,
  ];
  return [
    ...findings,
    ...brokenOff,
    ...hint.map((line) => (line === '' ? line : paint('faint', line))),
    ...renderDriftHint(told, options),
    ...renderBaseline(result, options),
    ...renderParity(result, options),
    ...renderObservations(result, options),
    ...renderNotChecked(result, options),
    ...(options.coverage === true ? renderCoverageTable(result.coverage, options) : []),
    '',
    renderVerdict(result, options),
    ...renderReplayHint(result, options),
    ...(options.replayed === undefined ? renderCoverageLine(result.coverage, options) : []),
    ...wrapText(`${figures.join(', ')}. Seed ${result.seed}.`, { width, indent: 0 }),
  ];
}

/** The exchanges that could not be judged, by the reason. */
function renderUnjudged(
  { unjudged }: Pick<TrafficResult, 'unjudged'>,
  { paint, width }: Pick<FindingSurroundings, 'paint' | 'width'>,
): readonly string[] {
  return unjudged.length === 0
    ? []
    : [
        '',
        'Not judged:',
        ...unjudged.flatMap(({ reason, count, first }) =>
          wrapText(`  ${plural(count, 'exchange')}: ${reason} ${paint('faint', `(the first: ${first})`)}`, {
            width,
            indent: 4,
          }),
        ),
      ];
}

/** The end of judged traffic as lines of text: findings, silences, what was not judged, and the figures. */
export function renderTrafficSummary(
  result: TrafficResult,
  options: Omit<SummaryOptions, 'planned' | 'replayed'>,
): readonly string[] {
  const { paint, width } = options;
  const told = result.findings.filter(({ known }) => known === undefined);
  const findings = told.flatMap((finding) => ['', ...renderFinding(finding, options)]);
  const hint = renderHint(findings, {
    meanings: options.secretMeanings,
    about: 'The requests are as they were sent, their keys too.',
  });
  return [
    ...findings,
    ...hint.map((line) => (line === '' ? line : paint('faint', line))),
    ...renderDriftHint(told, options),
    ...renderBaseline(result, options),
    ...renderObservations(result, options),
    ...renderUnjudged(result, options),
    ...renderNotChecked(result, { ...options, replayed: undefined }),
    ...(options.coverage === true ? renderCoverageTable(result.coverage, options) : []),
    '',
    renderVerdict(result, options),
    ...renderCoverageLine(result.coverage, options),
    ...wrapText(`${describeTraffic(result)}.`, { width, indent: 0 }),
  ];
}
