import { describeRequest } from '../../check/describe.ts';
import type { Finding } from '../../check/finding.ts';
import type { CheckedExchange } from '../../check/classify/subject.ts';
import type { TextStyle } from '../../errors/console-text.ts';
import { behaviours } from '../../policy/behaviours/index.ts';
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
import { renderCurl, renderExport, viewLeftItems } from '../view/curl-lines.ts';
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
  renderLatency,
  renderLeftBehind,
  renderNeverAnswered,
  renderOperations,
} from './operations.ts';

/** Options of the summary of a run or of traffic. */
export interface SummaryOptions
  extends
    Omit<FindingContext, 'secretMeanings'>,
    Look,
    VerdictRules,
    Pick<ReportOptions, 'secretMeanings' | 'replayed'> {
  /** False if the run is incomplete because the service can no longer be judged. */
  readonly isWhole: boolean;
  /** Whether to list all that was exercised of the contract, not only one line. @defaultValue false */
  readonly coverage?: boolean;
  /** The subject of the verdict, in words: `orders.yaml on http://127.0.0.1:8080`. */
  readonly subject: string;
  /** The amount of output: only the failing findings and the verdict, what fits a screen, or everything. */
  readonly detail: 'verdict' | 'usual' | 'whole';
}

/** The result of a run or of checked traffic. */
export type Ended = Pick<CollectedSuites, 'kind' | 'result'> | Pick<CollectedTraffic, 'kind' | 'result'>;

/** Renders the end of a run or of traffic: what was exercised, what was found, what was not, and the verdict. */
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
  const isRun = run !== undefined && replayed === undefined;
  const left = isRun ? renderLeftItems(run, options) : [];
  const shown = findings.length + brokenOff.length;
  const about = run === undefined ? ['The requests are as they were sent, including their ids.'] : [];
  const found = [
    ...findings,
    ...brokenOff,
    ...renderHint([...findings, ...brokenOff, ...(shown > 0 ? left : [])], about, options),
    ...renderDriftHint(enforced, options),
  ];
  const verdict = renderVerdict(ended, options);
  if (detail === 'verdict') {
    const lines = [...found, ...renderBaseline({ findings: [], gone: result.gone }, options)];
    return [...lines, ...(lines.length === 0 ? [] : ['']), verdict];
  }
  // The summary of a replay lists only unchecked parts of the replayed property.
  const notChecked = result.notChecked.filter(({ what }) => replayed === undefined || what === replayed);
  const figures =
    ended.kind === 'traffic' ? `${describeTraffic(ended.result)}.` : describeFigures(ended.result, options);
  return [
    ...(isRun && result.coverage.length > 0 ? ['', ...renderOperations(run, options)] : []),
    ...found,
    ...renderBaseline(result, options),
    ...(run === undefined ? [] : renderParity(run, options)),
    ...(detail === 'whole' ? renderNotes(result, options) : []),
    ...(ended.kind === 'traffic' ? renderUnchecked(ended.result, options) : []),
    ...(isRun ? renderNeverAnswered(result.coverage, options) : []),
    ...(detail === 'whole' ? renderNotChecked(notChecked, options) : []),
    ...(options.coverage === true ? renderCoverageTable(result.coverage, options) : []),
    ...(result.latency !== undefined && (detail === 'whole' || result.latency.limitMs !== undefined)
      ? renderLatency(result.latency, options)
      : []),
    '',
    ...(detail === 'usual' ? renderShort(result, notChecked, options) : []),
    ...left,
    ...(shown === 0 ? renderHint(left, [], options) : []),
    ...(run === undefined ? [] : renderReplayHint(run, options)),
    ...(replayed === undefined
      ? renderCoverageLine(result.coverage, { ...options, isShort: detail === 'usual' })
      : []),
    ...wrapText(figures, { width: options.width, indent: 2 }),
    '',
    verdict,
  ];
}

/** The maximum number of other findings of a fault that the console names. */
const mostOthers = 6;

/** Renders findings one after the other, each fault under one title; with --verbose each finding has a title. */
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

/** Renders in short what the document does not specify and what was not checked. */
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

/** The maximum number of items that are listed one by one. */
const mostLeft = 20;

/** Renders the first items left behind: the curl lines that delete them, and the paths of those that none deletes. */
function renderLeftItems({ items }: RunResult, options: SummaryOptions): readonly string[] {
  const { paint } = options;
  const shown = items?.left.slice(0, mostLeft) ?? [];
  const others = (items?.left.length ?? 0) - shown.length;
  const paths = shown.flatMap(({ request, path }) => (request === undefined ? [path] : []));
  const lines = viewLeftItems(shown, options).flatMap(({ curl }) => (curl === undefined ? [] : [curl]));
  const rest = others === 0 ? [] : [`and ${others.toLocaleString('en-US')} more, which --report json lists`];
  const words = [...(paths.length === 0 ? [] : [paths.join(', ')]), ...rest].join(' ');
  return [
    ...lines.map((line) => `  ${paint('faint', line)}`),
    ...(words === '' ? [] : wrapFaint(`  ${words}`, { ...options, indent: 2 })),
  ];
}

/** Renders the hint for pasting a request; its command is on a separate line. */
function renderHint(
  lines: readonly string[],
  about: readonly string[],
  { paint, secretMeanings, shell }: SummaryOptions,
): readonly string[] {
  if (lines.length === 0) return [];
  const command = renderExport(lines, secretMeanings, shell);
  const hint = command === undefined ? about : ['To paste a request, set this first:', `  ${command}`];
  return hint.length === 0 ? [] : ['', ...hint.map((line) => paint('faint', line))];
}

/** Renders what to do if a policy violation is intended; nothing if there is none. */
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

/** Renders the findings that the baseline accepts, and the entries of the baseline that were not found. */
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
  /** The rest of a second sentence; empty if every request is shown. */
  readonly others: string;
}

/** The maximum number of listed suspects; more would not help. */
const mostSuspects = 5;

/** Describes on which request the service stopped answering, as far as known; undefined if it did not stop. */
export function describeBrokenOff({ brokenOff }: Pick<RunResult, 'brokenOff'>): BrokenOffWords | undefined {
  const [suspect] = brokenOff;
  if (suspect === undefined) return undefined;
  const words = describeRequest(suspect.request);
  if (brokenOff.every(({ request }) => describeRequest(request) === words)) {
    return { shown: [suspect], sentence: `The service stopped answering, it seems on ${words}.`, others: '' };
  }
  const others = brokenOff.length - mostSuspects;
  return {
    shown: brokenOff.slice(0, mostSuspects),
    sentence: 'The service stopped answering on one of these requests, which were under way together.',
    others: others > 0 ? ` There were ${plural(others, 'other')}.` : '',
  };
}

/** Renders {@link describeBrokenOff} as lines; none if the service did not stop answering. */
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

/** Renders the comparison of two services, and policy values to paste with which a mock would behave the same. */
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
    // Lines to paste are not broken.
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
  // A difference that did not show again is no cause.
  return `${beginning}, all alike${differing === 0 ? '' : `, but for ${differing} that did not show again`}.`;
}

/** Renders policy values as YAML lines of a policy file; empty if there are none. */
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

/** Renders a line for each behaviour that the document does not specify, with what the service did. */
function renderNotes({ notes }: Conclusions, { paint, width }: Look): readonly string[] {
  const lines = collectAnswers(notes).flatMap(({ question: id, answers: given }) => {
    const answers = given.map(({ answer, count }) => `${answer} ${count}×`);
    const short = `  ${id.padEnd(longestId)} ${answers.join(', ')}`;
    // The id identifies the behaviour. The full question follows if the line has room.
    const whole = `${short}  ${paint('faint', behaviours[id].question)}`;
    const [first = '', ...others] = wrapText(whole, { width, indent: 0 });
    return others.length === 0 ? [first] : wrapText(short, { width, indent: longestId + 3 });
  });
  return lines.length === 0 ? [] : ['', 'Unspecified behaviour:', ...lines];
}

/** Renders the exchanges that could not be judged, by reason. */
function renderUnchecked({ unjudged }: TrafficResult, look: Look): readonly string[] {
  const lines = unjudged.map(
    ({ reason, count, first }) =>
      `  ${plural(count, 'exchange')}: ${reason} ${look.paint('faint', `(the first: ${first})`)}`,
  );
  return underHeading('Not judged:', lines, look);
}

/** Returns whether this is a gap: something that applies to the document was not checked. */
export function isApplicable({ notApplicable, reason }: NotChecked): boolean {
  // A reason with an operation names what that operation lacks.
  return notApplicable !== true || reason.includes(': ');
}

/** Renders what was not checked because something is missing, and what does not apply to the document. */
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
 * Renders the result of a run or of traffic in a line: `PASS: nothing found`; with its subject and its size,
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

/** Renders the command to try next if the replayed case did not show its finding again. */
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
