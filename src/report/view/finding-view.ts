import { checks } from '../../check/checks/all-checks.ts';
import type {
  BuiltInCheckId,
  CheckDocs,
  Clause,
  Finding,
  Parity,
  Qualification,
} from '../../check/finding.ts';
import type { Contract } from '../../contract/contract.ts';
import { isAccepted } from '../../check/classify/answer.ts';
import { describeAnswer } from '../../http/failures.ts';
import { createRedactor, type Redactor } from '../../http/redact.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import type { BaselineEntry, FoundCause } from '../../events/events.ts';
import { describeOthers, groupFaults } from '../collect.ts';
import { listElsewhere, listRequests, renderReplay } from './curl-lines.ts';
import { failsRun, type FindingContext, type ReportedFinding } from '../report.ts';
import { renderBoundary } from './boundary.ts';
import { renderYamlFlow } from '../format.ts';

/** A finding as every report shows it. Its texts are redacted. */
export interface FindingView {
  /** The finding, for a report that shows its exchange. */
  readonly found: ReportedFinding;
  readonly id: string;
  /** The id of the first finding of its fault. */
  readonly fault: string;
  readonly title: string;
  readonly level: Finding['level'];
  readonly operation: string;
  readonly count: number;
  /** Whether it fails the run. */
  readonly fails: boolean;
  /** Its severity in reports that have levels of their own: a finding that the baseline accepts is a note. */
  readonly severity: 'error' | 'warning' | 'note';
  /** The entry of the baseline that accepts it. It always has a reason. */
  readonly known: (BaselineEntry & { readonly reason: string }) | undefined;
  readonly expected: string;
  readonly received: string;
  /** The received values by name: in the words of the check, and as they were in the response. */
  readonly receipts: readonly (readonly [name: string, text: string])[];
  readonly trigger: string | undefined;
  /** The sentence of the document that may allow the response, with its place. */
  readonly although: string | undefined;
  /** The limit of the service: `name longer than 255 characters`. */
  readonly boundary: string | undefined;
  /** Which of two compared services is wrong. */
  readonly verdict: string | undefined;
  readonly clause: Clause;
  /** The place of the clause in its file, if the context has a contract. */
  readonly line: ReturnType<Contract['locate']>;
  /** The clause in one line, with its place. */
  readonly rule: string;
  /** The result of trying the finding again: `, unstable: came back 2 of 3 times`; empty if it came back each time. */
  readonly confirmation: string;
  /** The requests in order, each as a curl line. */
  readonly requests: readonly string[];
  /** The same requests to the service that is compared with; empty if there is none. */
  readonly elsewhere: readonly string[];
  readonly outcomes: readonly string[] | undefined;
  /** The command that replays the finding; undefined if none does. */
  readonly replay: string | undefined;
  /** The places of a finding of traffic, the example first: `entry 3 of a.har, last entry 9 of a.har`. */
  readonly places: string | undefined;
}

/** A fault of the service: its first finding, the others, and short descriptions of the others. */
export interface FaultView {
  readonly first: FindingView;
  readonly others: readonly FindingView[];
  readonly also: readonly string[];
}

/** Makes views of findings, in their order. */
export function viewFindings(
  findings: readonly ReportedFinding[],
  context: FindingContext,
): readonly FindingView[] {
  const redactor = createRedactor(context.secrets);
  const faults = new Map(
    groupFaults(findings).flatMap(({ first, others }) => [first, ...others].map((one) => [one, first.id])),
  );
  return findings.map((found) => toView({ found, fault: faults.get(found) ?? found.id }, context, redactor));
}

/** Groups findings by fault, the most severe first, and makes views of them. */
export function viewFaults(
  findings: readonly ReportedFinding[],
  context: FindingContext,
): readonly FaultView[] {
  const redactor = createRedactor(context.secrets);
  return groupFaults(findings).map((group) => {
    const fault = group.first.id;
    return {
      first: toView({ found: group.first, fault }, context, redactor),
      others: group.others.map((found) => toView({ found, fault }, context, redactor)),
      also: describeOthers(group).map(redactor.text),
    };
  });
}

function toView(
  { found, fault }: Pick<FindingView, 'found' | 'fault'>,
  context: FindingContext,
  { text }: Redactor,
): FindingView {
  const { finding, known } = found;
  const { boundary, parity, trigger, clause, qualification } = finding;
  const shown = { ...clause, quote: text(clause.quote) };
  const fails = failsRun(found, context);
  const mild = known === undefined && finding.level === 'warning' ? 'warning' : 'note';
  return {
    found,
    id: found.id,
    fault,
    title: text(titleOf(finding)),
    level: finding.level,
    operation: text(finding.operation),
    count: found.count,
    fails,
    severity: fails ? 'error' : mild,
    known: known && { ...known, reason: text(known.reason ?? 'no reason is given') },
    expected: text(finding.expected),
    received: text(finding.received),
    receipts: listReceipts(found).map(([name, words]) => [name, text(words)]),
    trigger: trigger === undefined ? undefined : text(trigger),
    although: qualification && text(describeQualification(qualification, context)),
    boundary: boundary && text(renderBoundary(boundary)),
    verdict: parity && text(describeVerdict(parity)),
    clause: shown,
    line: clause.kind === 'document' ? context.contract?.locate(clause) : undefined,
    rule: text(describeClause(clause, context.source)),
    confirmation: describeConfirmation(found),
    requests: listRequests(found, context),
    elsewhere: listElsewhere(found, context),
    outcomes: found.outcomes?.map(text),
    replay: renderReplay(found, context),
    places: 'seenAt' in found ? text(describePlaces(found.seenAt)) : undefined,
  };
}

/** Returns the title of a finding, or that of its check. */
export function titleOf(finding: Finding): string {
  return finding.title ?? docsOf(finding).title;
}

/** Returns the documentation of the check of a finding. */
export function docsOf({ check, docs }: Finding): CheckDocs {
  // `as`: a finding of a user-defined check has its docs.
  return docs ?? checks[check as BuiltInCheckId].docs;
}

function describePlaces({ first, last, example }: { first: string; last: string; example: string }): string {
  return [
    example,
    ...(first === example ? [] : [`first ${first}`]),
    ...(last === example || last === first ? [] : [`last ${last}`]),
  ].join(', ');
}

function describeClause(clause: Clause, source: string): string {
  const { kind, quote } = clause;
  if (kind === 'document') return `${clause.file ?? source}#${clause.pointer} — ${quote}`;
  if (kind === 'rfc') return `${clause.name} §${clause.section} — “${quote}”`;
  return `${kind === 'policy' ? `policy ${clause.question}` : clause.name} — ${quote}`;
}

function describeQualification(
  { pointer, quote }: Qualification,
  { contract, source }: FindingContext,
): string {
  const place = contract?.placeOf(pointer);
  const line = place && contract?.locate(place)?.line;
  const at = line === undefined ? '' : `, line ${line}`;
  return `${place?.file ?? source}#${place?.pointer ?? pointer}${at} — “${quote}”`;
}

function describeConfirmation(found: ReportedFinding): string {
  if (!('confirmed' in found)) return '';
  const { confirmed, finding, exchange } = found;
  const { answer, operation, request } = exchange;
  if (confirmed.seen === 0 && confirmed.tried > 0) {
    if (request.key === 'chosen') return ', not shown again, as its id now exists';
    // The service may reject a second create without an id, because the first one left an item.
    if (request.key === 'none' && operation?.kind.kind === 'create' && isAccepted(answer)) {
      return ', not shown again, as what it made may now exist';
    }
  }
  if (confirmed.tried === 0) {
    const why = finding.check === 'timed-out' ? 'it would take a time-out more' : 'the run ended first';
    return `, not tried again, as ${why}`;
  }
  if (confirmed.seen === confirmed.tried) return '';
  return `, unstable: came back ${confirmed.seen} of ${confirmed.tried} times`;
}

/** Behaviours that one request cannot show. */
const severalRequests = new Set<BehaviourId>(['constraints', 'unique-properties']);

function describeVerdict({ tested, other, answered, verdict }: Parity): string {
  if (verdict.kind === 'tested-wrong') return `${tested} is wrong; ${other} answered ${answered}`;
  if (verdict.kind === 'other-wrong') return `${other} is wrong`;
  const { question, answer } = verdict;
  if (question === undefined) return 'neither the document nor a policy behaviour specifies it';
  if (answer !== undefined) return `not specified; to the policy add: ${question}: ${renderYamlFlow(answer)}`;
  return severalRequests.has(question)
    ? `not specified: ${question} decides it, which one request does not show; cloche learn determines it`
    : `not specified: ${question} decides it, and none of its values does exactly this`;
}

/** Returns whether the exchange of a finding shows it alone, without the exchanges before it. */
export function isOfExchange({ finding, exchange }: Pick<FoundCause, 'finding' | 'exchange'>): boolean {
  return exchange.findings.some(({ check, cause }) => check === finding.check && cause === finding.cause);
}

function listReceipts({ finding, exchange }: FoundCause): FindingView['receipts'] {
  const { answer } = exchange.exchange;
  const shown = describeAnswer(answer);
  // Without a response, the words of the check describe all that was received.
  if (answer.kind !== 'response' || shown.startsWith(finding.received)) return [['received', shown]];
  // Only the check describes several exchanges; the response shows the last of them.
  return [
    ['received', finding.received],
    [isOfExchange({ finding, exchange }) ? 'answer' : 'last', shown],
  ];
}
