import { describeRequest } from '../../check/describe.ts';
import type { Finding } from '../../check/finding.ts';
import type { CheckedExchange } from '../../check/reading/subject.ts';
import type { TextStyle } from '../../errors/console-text.ts';
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
} from '../../events/events.ts';
import { collectAnswers, type CollectedSuites, type CollectedTraffic } from '../collect.ts';
import { renderCurl, renderExport } from '../view/curl-lines.ts';
import { titleOf, viewFaults } from '../view/finding-view.ts';
import { failsRun, type FindingContext, type ReportedFinding, type ReportOptions } from '../report.ts';
import { describeRunVerdict, describeTraffic, type VerdictRules } from './verdict.ts';
import { renderCoverageLine, renderCoverageTable } from './coverage.ts';
import { renderView } from './finding.ts';
import { type Look, plural, renderYamlFlow, underHeading, wrapFaint, wrapText } from '../format.ts';
import {
  groupNotChecked,
  isSentence,
  listSome,
  renderFewNotChecked,
  renderLeftBehind,
  renderNeverAnswered,
  renderOperations,
} from './operations.ts';

/** What the end of a run, or of traffic, needs besides its result. */
export interface SummaryOptions
  extends FindingContext, Look, VerdictRules, Pick<ReportOptions, 'secretMeanings' | 'replayed'> {
  /** False where the run ended before its end, as the service can no longer be judged. */
  readonly isWhole: boolean;
  /** Whether all that was exercised of the contract is listed, and not only in a line. @defaultValue false */
  readonly coverage?: boolean;
  /** What the verdict is of, in words: `orders.yaml on http://127.0.0.1:8080`. */
  readonly subject: string;
  /** How much is printed: the findings that fail the run and the verdict, what fits a screen, or everything. */
  readonly detail: 'verdict' | 'usual' | 'whole';
}

/** What a run, or judged traffic, came to. */
export type Ended = Pick<CollectedSuites, 'kind' | 'result'> | Pick<CollectedTraffic, 'kind' | 'result'>;

/** The end of a run, or of traffic, as lines of text: what was exercised, what was found, what was not, and the verdict. */
export function renderSummary(ended: Ended, options: SummaryOptions): readonly string[] {
  const { result } = ended;
  const { detail } = options;
  const run = ended.kind === 'suites' ? ended.result : undefined;
  const replayed = run && options.replayed;
  const all: readonly ReportedFinding[] = result.findings;
  const enforced = all.filter((found) =>
    detail === 'verdict' ? failsRun(found, options) : found.known === undefined,
  );
  const findings = renderFindings(enforced, options);
  const brokenOff = run === undefined ? [] : renderBrokenOff(run, options);
  const about = run === undefined ? ['The requests are as they were sent, including their ids.'] : [];
  const found = [
    ...findings,
    ...brokenOff,
    ...renderHint([...findings, ...brokenOff], about, options),
    ...renderDriftHint(enforced, options),
  ];
  const verdict = renderVerdict(ended, options);
  if (detail === 'verdict') return [...found, ...(found.length === 0 ? [] : ['']), verdict];
  // What was replayed has nothing to do with the rest of what was left out.
  const notChecked = result.notChecked.filter(({ what }) => replayed === undefined || what === replayed);
  const isRun = run !== undefined && replayed === undefined;
  const figures =
    ended.kind === 'traffic' ? `${describeTraffic(ended.result)}.` : describeFigures(ended.result, options);
  return [
    ...(isRun && result.coverage.length > 0 ? ['', ...renderOperations(run, options)] : []),
    ...found,
    ...renderBaseline(result, options),
    ...(run === undefined ? [] : renderParity(run, options)),
    ...(detail === 'whole' ? renderNotes(result, options) : []),
    ...(ended.kind === 'traffic' ? renderUnjudged(ended.result, options) : []),
    ...(isRun ? renderNeverAnswered(result.coverage, options) : []),
    ...(detail === 'whole' ? renderNotChecked(notChecked, options) : []),
    ...(options.coverage === true ? renderCoverageTable(result.coverage, options) : []),
    '',
    ...(detail === 'usual' ? renderShort(result, notChecked, options) : []),
    ...(run === undefined ? [] : renderReplayHint(run, options)),
    ...(replayed === undefined
      ? renderCoverageLine(result.coverage, { ...options, isShort: detail === 'usual' })
      : []),
    ...wrapText(figures, { width: options.width, indent: 2 }),
    '',
    verdict,
  ];
}

/** The console names this many other findings of a fault. */
const mostOthers = 6;

/** Lists findings one after the other, each fault under one headline; --verbose gives every finding its own. */
function renderFindings(findings: readonly ReportedFinding[], options: SummaryOptions): readonly string[] {
  const isWhole = options.detail === 'whole';
  return viewFaults(findings, options).flatMap(({ first, others, also }) => {
    const shown = isWhole ? [first, ...others] : [first];
    const names = isWhole ? [] : also;
    const rest = names.length > mostOthers + 1 ? ', which --verbose lists' : '';
    const line = `  ${options.paint('faint', 'also'.padEnd(9))} ${listSome(names, mostOthers)}${rest}`;
    return [
      ...shown.flatMap((view) => ['', ...renderView(view, options)]),
      ...(names.length === 0 ? [] : wrapText(line, { ...options, indent: 12 })),
    ];
  });
}

/** In short, what the document does not specify and what was not checked. */
function renderShort(
  { notes, coverage }: Conclusions,
  notChecked: readonly NotChecked[],
  options: SummaryOptions,
): readonly string[] {
  const asked = collectAnswers(notes).length;
  const never = new Set(coverage.flatMap(({ operation, accepted }) => (accepted === 0 ? [operation] : [])));
  const entries = notChecked.filter(
    (entry) => isApplicable(entry) && (isSentence(entry.reason) || !never.has(entry.what)),
  );
  const unspecified = `Not specified by the document: ${plural(asked, 'question')}, which --verbose lists`;
  return [
    ...(asked === 0 ? [] : wrapFaint(unspecified, { ...options, indent: 2 })),
    ...renderFewNotChecked(groupNotChecked(entries), options),
    ...renderLeftBehind(notChecked, options),
  ];
}

/** What is to be done before a line of a finding is pasted; its own command is on a line of its own. */
function renderHint(
  lines: readonly string[],
  about: readonly string[],
  { paint, secretMeanings }: SummaryOptions,
): readonly string[] {
  if (lines.length === 0) return [];
  const command = renderExport(lines, secretMeanings);
  const hint = command === undefined ? about : ['To paste a request, set this first:', `  ${command}`];
  return hint.length === 0 ? [] : ['', ...hint.map((line) => paint('faint', line))];
}

/** What is to be done where a service is meant to answer otherwise than its policy says; nothing without drift. */
export function renderDriftHint(
  findings: readonly { readonly finding: Finding }[],
  look: Look,
): readonly string[] {
  const drifted = findings.flatMap(({ finding: { check, clause } }) =>
    check === 'drift' && clause.kind === 'policy' ? [`--question ${clause.question}`] : [],
  );
  if (drifted.length === 0) return [];
  const again = [...new Set(drifted)].join(' ');
  const words = `If the service is meant to do so, change the policy: by hand, or with cloche learn ${again}.`;
  return ['', ...wrapFaint(words, { ...look, indent: 0 })];
}

/** What of the findings the baseline knows, and what of the baseline was not found any more. */
export function renderBaseline(
  { findings, gone }: { readonly findings: readonly FoundCause[] } & Pick<Conclusions, 'gone'>,
  look: Look,
): readonly string[] {
  const { paint } = look;
  const known = findings.flatMap(({ id, finding, count, known: entry }) => {
    if (entry === undefined) return [];
    const until = entry.expires === undefined ? '' : `, until ${entry.expires}`;
    const aside = paint('faint', `[${id}] ${finding.operation}, seen ${count}×`);
    return [
      `  ${paint('faint', finding.level)} ${titleOf(finding)} ${aside}`,
      `    ${entry.reason ?? 'no reason is given'}${paint('faint', until)}`,
    ];
  });
  const lost = gone.map(
    ({ id, title }) => `  ${id}${title === undefined ? '' : ` ${paint('faint', title)}`}`,
  );
  return [
    ...underHeading('Known, and let pass by the baseline:', known, look),
    ...underHeading('No longer found; remove from the baseline:', lost, look),
  ];
}

interface BrokenOffWords {
  readonly sentence: string;
  readonly shown: readonly CheckedExchange[];
  /** The rest of a second sentence, empty where every request is shown. */
  readonly others: string;
}

/** More of them than this tell nobody anything. */
const mostSuspects = 5;

/** Says on which request the service went down, as far as that can be known; undefined where it is still there. */
export function describeBrokenOff({ brokenOff }: Pick<RunResult, 'brokenOff'>): BrokenOffWords | undefined {
  const [suspect] = brokenOff;
  if (suspect === undefined) return undefined;
  const words = describeRequest(suspect.request);
  if (brokenOff.every(({ request }) => describeRequest(request) === words)) {
    return { shown: [suspect], sentence: `The service went down, it seems on ${words}.`, others: '' };
  }
  const others = brokenOff.length - mostSuspects;
  return {
    shown: brokenOff.slice(0, mostSuspects),
    sentence: 'The service went down on one of these requests, which were under way together.',
    others: others > 0 ? ` There were ${plural(others, 'other')}.` : '',
  };
}

/** The lines of {@link describeBrokenOff}; none where the service is still there. */
export function renderBrokenOff(
  result: Pick<RunResult, 'brokenOff'>,
  options: FindingContext & Look,
): readonly string[] {
  const words = describeBrokenOff(result);
  if (words === undefined) return [];
  const { paint, width } = options;
  const label = paint('faint', 'request'.padEnd(9));
  const curls = words.shown.map(({ exchange, request: { framing } }) =>
    renderCurl(exchange.request, options, { framing }),
  );
  return [
    '',
    ...wrapText(`${paint('strong', words.sentence)}${words.others}`, { width, indent: 2 }),
    ...curls.map((curl) => `  ${label} ${curl}`),
  ];
}

/** What comparing two services came to, and the answers that would make a mock answer alike, ready to be pasted. */
function renderParity({ parity, findings }: RunResult, look: Look): readonly string[] {
  if (parity === undefined) return [];
  const { names, unanswered, notCompared, proposal } = parity;
  const causes = findings.filter(({ finding }) => finding.parity !== undefined).length;
  const figures = look.paint('strong', describeParity(parity, causes));
  const wish =
    names.other === 'the mock'
      ? 'To make the mock do the same, add to the policy:'
      : `As a policy, what ${names.tested} does otherwise than ${names.other} is:`;
  const lines = renderProposal(proposal);
  const unsure = `Of ${proposal.unsure.join(', ')} more than one answer was seen; this is the most frequent.`;
  return [
    '',
    ...wrapText(figures, { ...look, indent: 2 }),
    ...(unanswered === 0 ? [] : [`  ${plural(unanswered, 'request')} it never answered: test it alone.`]),
    // What is pasted is left whole.
    ...(lines.length === 0 ? [] : [wish, ...lines.map((line) => `  ${line}`)]),
    ...(lines.length === 0 || proposal.unsure.length === 0 ? [] : wrapText(unsure, { ...look, indent: 2 })),
    ...groupNotChecked(notCompared).flatMap(([reason, what]) =>
      wrapText(look.paint('faint', `Not compared by ${what.join(', ')}: ${reason}.`), { ...look, indent: 2 }),
    ),
  ];
}

function describeParity({ name, names, compared, differing }: ParityResult, causes: number): string {
  const called = names.other === 'the mock' ? name : `${names.other}, ${name}`;
  const beginning = `Compared with ${called}: ${plural(compared, 'answer')}`;
  if (causes > 0) {
    return `${beginning}, ${differing.toLocaleString('en-US')} of them different, of ${plural(causes, 'cause')}.`;
  }
  // What differs now and then, and not again, is no cause.
  return `${beginning}, all alike${differing === 0 ? '' : `, but for ${differing} that did not show again`}.`;
}

/** Answers as lines of YAML, as they stand in a policy file; none where there is nothing to add. */
function renderProposal({ answers, operations }: PolicyProposal): readonly string[] {
  const toLines = (given: ProposedAnswers, indent: string): readonly string[] =>
    Object.entries(given).map(([question, answer]) => `${indent}${question}: ${renderYamlFlow(answer)}`);
  const common = toLines(answers, '  ');
  const own = Object.entries(operations).flatMap(([operation, given]) => [
    `  ${renderYamlFlow(operation)}:`,
    ...toLines(given, '    '),
  ]);
  return [
    ...(common.length === 0 ? [] : ['answers:', ...common]),
    ...(own.length === 0 ? [] : ['operations:', ...own]),
  ];
}

const longestId = 22;

/** What the document does not specify and how the service answers it, one line for each question. */
function renderNotes({ notes }: Conclusions, { paint, width }: Look): readonly string[] {
  const lines = collectAnswers(notes).flatMap(({ question: id, answers: given }) => {
    const answers = given.map(({ answer, count }) => `${answer} ${count}×`);
    const short = `  ${id.padEnd(longestId)} ${answers.join(', ')}`;
    // The id names the question; it is asked in full where there is room for it on the line.
    const whole = `${short}  ${paint('faint', questions[id].question)}`;
    const [first = '', ...others] = wrapText(whole, { width, indent: 0 });
    return others.length === 0 ? [first] : wrapText(short, { width, indent: longestId + 3 });
  });
  return lines.length === 0 ? [] : ['', 'Unspecified behaviour:', ...lines];
}

/** The exchanges that could not be judged, by the reason. */
function renderUnjudged({ unjudged }: TrafficResult, look: Look): readonly string[] {
  const lines = unjudged.map(
    ({ reason, count, first }) =>
      `  ${plural(count, 'exchange')}: ${reason} ${look.paint('faint', `(the first: ${first})`)}`,
  );
  return underHeading('Not judged:', lines, look);
}

/** Whether something is missing where this was not checked. */
export function isApplicable({ notApplicable, reason }: NotChecked): boolean {
  // What names an operation says what that operation is in want of.
  return notApplicable !== true || reason.includes(': ');
}

/** What was not checked for want of something, and what the document gives no occasion for. */
function renderNotChecked(entries: readonly NotChecked[], look: Look): readonly string[] {
  const wanting = groupNotChecked(entries.filter(isApplicable)).map(
    ([reason, what]) => `  ${isSentence(reason) ? reason : `${what.join(', ')}: ${reason}`}`,
  );
  const idle = entries
    .filter((entry) => !isApplicable(entry))
    .map(({ what, reason }) => `${what} (${reason})`);
  return [
    ...underHeading('Not checked:', wanting, look),
    ...renderLeftBehind(entries, look),
    ...(idle.length === 0
      ? []
      : ['', ...wrapFaint(`Not applicable: ${idle.join(', ')}`, { ...look, indent: 2 })]),
  ];
}

/**
 * What a run, or traffic, came to, in a line: `PASS: nothing found`; with its subject and its size,
 * `FAIL  orders.yaml on http://h: 2 violations and 1 warning in 3,412 requests`.
 */
export function renderVerdict(
  ended: Ended,
  options: VerdictRules & {
    readonly isWhole: boolean;
    readonly replayed?: string | undefined;
    readonly subject?: string;
    readonly paint?: TextStyle;
  },
): string {
  const { paint = (_tone, text) => text, subject, replayed } = options;
  const isThinNews = ended.kind === 'suites' && replayed === undefined;
  const { lead, tone, found, besides } = describeRunVerdict(ended.result, { ...options, isThinNews });
  const size =
    ended.kind === 'suites'
      ? plural(ended.result.requests, 'request')
      : plural(ended.result.judged, 'exchange');
  const { properties, planned } = ended.kind === 'suites' ? ended.result : { properties: [], planned: 0 };
  const tried = countTried({ properties });
  const isCut = tried === 0 || properties.some(({ verdict }) => verdict === 'cut-off');
  const isNews = isThinNews && options.isWhole && isCut && tried < planned;
  const words = [
    subject === undefined ? found : `${found} in ${size}`,
    ...besides,
    ...(ended.result.baselineUpdate === undefined ? [] : [ended.result.baselineUpdate]),
    ...(isNews ? [`only ${tried.toLocaleString('en-US')} of ${plural(planned, 'case')} tried`] : []),
  ];
  const start = subject === undefined ? ': ' : `  ${subject}: `;
  return `${paint(tone, lead)}${start}${words.join('; ')}`;
}

/** What else may be done where a case did not show again what it had shown. */
function renderReplayHint(
  { findings, seed }: RunResult,
  { replayed, isWhole, width }: SummaryOptions,
): readonly string[] {
  if (replayed === undefined || findings.length > 0 || !isWhole) return [];
  const [suite = replayed] = replayed.split('/', 1);
  const words = `A fault that needs other requests at the same time, or shows only now and then, may not show in one case: --suite ${suite} --seed ${seed} runs all of them.`;
  return wrapText(words, { width, indent: 2 });
}

const countTried = ({ properties }: Pick<RunResult, 'properties'>): number =>
  properties.reduce((sum, { cases }) => sum + cases, 0);

function describeFigures(
  { properties, planned, requests, durationMs, waits, seed }: RunResult,
  options: SummaryOptions,
): string {
  const figures = [
    plural(properties.length, 'property', 'properties'),
    describeCases({ properties, planned }, options),
    `${plural(requests, 'request')} in ${(durationMs / 1_000).toFixed(1)} s`,
    ...(waits > 0 ? [`asked to wait ${plural(waits, 'time')}`] : []),
  ];
  return `${figures.join(', ')}. Seed ${seed}.`;
}

function describeCases(
  { properties, planned }: Pick<RunResult, 'properties' | 'planned'>,
  { replayed }: SummaryOptions,
): string {
  const cases = countTried({ properties });
  if (replayed !== undefined || cases === planned) return plural(cases, 'case');
  const all = planned.toLocaleString('en-US');
  return cases < planned
    ? `${cases.toLocaleString('en-US')} of ${plural(planned, 'planned case')}`
    : `${plural(cases, 'case')} (${all} planned, ${(cases - planned).toLocaleString('en-US')} to narrow failures down)`;
}
