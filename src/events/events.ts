import type { Finding } from '../check/finding.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import type { Contract } from '../contract/contract.ts';
import type { Exchange, HttpRequest } from '../http/message.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { LatencyResult } from './latency.ts';
import type { BehaviourId } from '../policy/behaviour.ts';

/** A finding that the baseline accepts. */
export interface BaselineEntry {
  /** The stable id of the finding. */
  readonly id: string;
  /** The title of the finding for readers of the file; it is not compared. */
  readonly title?: string;
  /** The id of its operation. A run that does not test this operation in full cannot find the entry stale. */
  readonly operation?: string;
  /** The reason for readers why it is accepted. */
  readonly reason?: string;
  /** The last day on which it is accepted, `2026-12-31`; if undefined, it does not expire. */
  readonly expires?: string;
}

/** The known findings of a run. */
export interface Baseline {
  readonly entries: readonly BaselineEntry[];
  /** The day of the run in UTC, `2026-11-21`, by which entries expire. */
  readonly today: string;
  /** The reason why a run cannot find everything, if it is partial: `only some suites are run`. */
  readonly partly: string | undefined;
}

/** Returns the entry that accepts a finding, or the one that did until it expired. */
export function lookUp(
  baseline: Pick<Baseline, 'entries' | 'today'> | undefined,
  id: string,
): { readonly known?: BaselineEntry; readonly expired?: BaselineEntry } {
  const entry = baseline?.entries.find((one) => one.id === id);
  if (baseline === undefined || entry === undefined) return {};
  // Dates in this format sort as strings.
  return entry.expires !== undefined && entry.expires < baseline.today
    ? { expired: entry }
    : { known: entry };
}

/** A location of the contract in the user's files. */
type Place = ReturnType<Contract['placeOf']>;

/** A response that the document declares, and how often it came. */
export interface ResponseCoverage extends Place {
  /** As it is declared: `200`, `4XX`, `default`. */
  readonly status: string;
  readonly seen: number;
  /** The reason why it never came, if it did not. */
  readonly reason?: string;
}

/** A kind of body (`plain`, `extreme`, `malformed` …) that was sent in a media type, and how often. */
export interface BodyCoverage {
  readonly mediaType: string;
  readonly kind: string;
  readonly sent: number;
}

/** A keyword of a schema, and how often values met it and broke it. */
export interface KeywordCoverage extends Place {
  /** `pointer` is the location of the keyword in the document: `/components/schemas/NewItem/required`. */
  readonly keyword: string;
  /** The values that it applies to. */
  readonly of: 'body' | 'parameter' | 'response';
  /** The number of values that the schema accepted; 0 until one contained the part that the keyword applies to. */
  readonly met: number;
  /** The number of times that a problem of a value named it. */
  readonly broken: number;
  /** The reason why it was never met, or never broken by a request, if so. */
  readonly reason?: string;
}

/** The parts of one operation that a run exercised. */
export interface OperationCoverage extends Place {
  /** The id of the operation, or its method and path. */
  readonly operation: string;
  readonly requests: number;
  /** The number of success responses to valid requests. */
  readonly accepted: number;
  readonly bodies: readonly BodyCoverage[];
  readonly responses: readonly ResponseCoverage[];
  /** Received statuses that are not declared. */
  readonly undeclared: readonly { readonly status: number; readonly seen: number }[];
  readonly keywords: readonly KeywordCoverage[];
  /** The statuses of the responses to requests without a fault. @defaultValue none */
  readonly statuses?: readonly number[];
  /** False if requests to its path only ever got 404, true if one was found; undefined without evidence. */
  readonly isFound?: boolean;
  /** The reason why nothing, or not all, of it was exercised, if known. */
  readonly reason?: string;
  /** Set if no request was sent that the operation should accept. */
  readonly isUntested?: true;
}

/** Policy values, as in a policy file. */
export type ProposedAnswers = Readonly<Partial<Record<BehaviourId, JsonValue>>>;

/** The policy values with which a mock would behave like the tested service. */
export interface PolicyProposal {
  readonly answers: ProposedAnswers;
  /** By the id of the operation, if the value differs between operations. */
  readonly operations: Readonly<Record<string, ProposedAnswers>>;
  /** The behaviours with more than one observed value; one value does not describe them completely. */
  readonly unsure: readonly BehaviourId[];
}

/** The result of the comparison of two services. */
export interface ParityResult {
  /** The other service, as its URL, or `the in-process mock`. */
  readonly name: string;
  /** The names of the two services in reports: `the service`, `the mock`, `the other service`. */
  readonly names: { readonly tested: string; readonly other: string };
  /** The number of compared pairs of responses, and of different pairs before they are grouped by cause. */
  readonly compared: number;
  readonly differing: number;
  /** The number of requests that the other service did not answer; they could not be compared. */
  readonly unanswered: number;
  /** The properties that are excluded from the comparison, and why. */
  readonly notCompared: readonly NotChecked[];
  readonly proposal: PolicyProposal;
}

/** A value of a response that later requests contain: the id of a created resource. */
export interface TakenValue {
  /** The index of the request whose response contains it. */
  readonly from: number;
  /** The pointer to it in the content of that response; undefined if it is the last segment of Location. */
  readonly pointer: JsonPointer | undefined;
  /** The placeholder in later requests: `{petId}`. */
  readonly placeholder: string;
}

/** A finding with the exchange that shows it: of a run or of traffic. */
export interface FoundCause {
  /** The id of the cause in all runs: it does not depend on a seed, id or generated value. */
  readonly id: string;
  readonly finding: Finding;
  /** The smallest exchange that shows it. */
  readonly exchange: CheckedExchange;
  /** The requests that show it, in order: of a run with ids that it has not sent, of traffic as they were sent. */
  readonly requests: readonly HttpRequest[];
  /** The values that requests copy from earlier responses; missing if there are none. */
  readonly taken?: readonly TakenValue[];
  /** The same requests to the other service, if two services are compared and it responds differently. */
  readonly elsewhere?: readonly HttpRequest[];
  /** Whether they show it only if they are sent side by side. */
  readonly sideBySide?: true;
  /** The result of each of several requests: a status, or why there was none; missing if unknown. */
  readonly outcomes?: readonly string[];
  /** The exchanges before `exchange`, in order, as they were when it was found; missing like `outcomes`. */
  readonly earlier?: readonly CheckedExchange[];
  /** The curl lines of its requests, if they come from a report; otherwise reports render them. */
  readonly curl?: { readonly requests: readonly string[]; readonly elsewhere: readonly string[] };
  /** The number of occurrences. */
  readonly count: number;
  /** The entry of the baseline that accepts it today, if any. */
  readonly known?: BaselineEntry;
  /** The entry of the baseline that accepted it until it expired. */
  readonly expired?: BaselineEntry;
}

/** A finding of a run, with the data to reproduce it. */
export interface RunFinding extends FoundCause {
  readonly suite: string;
  readonly property: string;
  /** The values of `--seed` and `--path` that replay it, and the command, if it comes from a report. */
  readonly replay: { readonly seed: number; readonly path: string; readonly command?: string };
  /** How often its case was run again, and how often the finding came back. */
  readonly confirmed: { readonly seen: number; readonly tried: number };
}

/** Something that was not checked, and why. */
export interface NotChecked {
  readonly what: string;
  readonly reason: string;
  /** True if a suite does not apply to the document. Then nothing is missing. */
  readonly notApplicable?: true;
  /** The number of operations, if the user left them out. */
  readonly excluded?: number;
  /** True if the reason names items that the run could not delete. */
  readonly isLeftBehind?: true;
  /** The id of the suite that turned out to have no case. */
  readonly emptySuite?: string;
}

/**
 * The verdict of a property's exchanges (`held`: nothing contradicts it; `broken`: a violation; `warned`: a warning;
 * `given-up`: every further case might have taken a whole time-out; `cut-off`: the run ended before its cases did;
 * `unjudged`: no case showed anything).
 */
export type Verdict = 'held' | 'broken' | 'warned' | 'given-up' | 'cut-off' | 'unjudged';

/** The result of one property. */
export interface PropertyResult {
  readonly suite: string;
  readonly property: string;
  readonly title: string;
  readonly cases: number;
  readonly requests: number;
  /** The result of its exchanges, even if another property showed the finding first. */
  readonly verdict: Verdict;
}

/** Conclusions from the exchanges of a run or of traffic. */
export interface Conclusions {
  /** Behaviours that the document does not specify, what the service does, and how often that was seen. */
  readonly notes: readonly { readonly finding: Finding; readonly count: number }[];
  readonly notChecked: readonly NotChecked[];
  readonly durationMs: number;
  readonly interrupted: boolean;
  /** The exercised parts of the contract, operation by operation. */
  readonly coverage: readonly OperationCoverage[];
  /** The response times by operation; missing if the run ended before it began. */
  readonly latency?: LatencyResult;
  /** The entries of the baseline that a whole run did not see; empty without a baseline. */
  readonly gone: readonly BaselineEntry[];
  /** How `--update-baseline` changed the baseline, in words; undefined without that option. */
  readonly baselineUpdate?: string;
  /** The result of the comparison of two services; missing if there is only one. */
  readonly parity?: ParityResult;
}

/** One part of a run that is split over several processes. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly total: number;
  /**
   * Whether the last shard begins after the others, and has all properties that run alone, because their requests may
   * crash the service. @defaultValue false
   */
  readonly isLastAlone?: boolean;
}

/** The numbers of items that a run created and deleted. */
export interface ItemTally {
  readonly created: number;
  /** The number of other requests that may have created an item: nothing shows whether they did. */
  readonly perhaps: number;
  readonly deleted: number;
}

/** An item that a run created and did not delete. */
export interface LeftItem {
  /** Its path below the base URL. */
  readonly path: string;
  readonly collection: string;
  /** The reason why it is not deleted. */
  readonly reason: string;
  /** The request that deletes it; undefined if the document declares none. */
  readonly request: HttpRequest | undefined;
  /** Set if it is in the other of two compared services. */
  readonly isElsewhere?: true;
  /** The curl line that deletes it, in a merged run, which has no requests. */
  readonly curl?: string | undefined;
}

/** The items of a run in the service; of two compared services, in both. */
export interface RunItems extends ItemTally {
  readonly left: readonly LeftItem[];
}

/** The result of a run. */
export interface RunResult extends Conclusions {
  /** Missing if the run is in process, where nothing stays, or if it ended before it began. */
  readonly items?: RunItems;
  readonly seed: number;
  /** The first and the last id that the run may have used. */
  readonly keys: readonly [from: number, to: number];
  readonly findings: readonly RunFinding[];
  readonly properties: readonly PropertyResult[];
  /** The number of planned cases. How many examples there are is known only when they are generated. */
  readonly planned: number;
  readonly requests: number;
  /** The number of 429 and 503 responses after which the run waited. */
  readonly waits: number;
  /** The exchanges under way when the service went down or began to hang, plain ones last; empty if it did not. */
  readonly brokenOff: readonly CheckedExchange[];
}

/** An event of a run, in order; reports read nothing else of a run. */
export type RunEvent =
  | {
      readonly kind: 'run-started';
      readonly target: string;
      readonly contract: { readonly title: string; readonly version: string; readonly source: string };
      readonly seed: number;
      readonly keys: readonly [from: number, to: number];
      readonly properties: number;
      /** The maximum number of cases: none is generated to count them. */
      readonly cases: number;
      /** The maximum number of requests in them; each may create something. */
      readonly creates: number;
      /** The collections whose items the run cannot delete; missing if it deletes nothing or creates nothing. */
      readonly keptForEver?: readonly string[];
      /** The part of a run that this is. `plan` is a fingerprint of the whole plan, and `untested` as in it: all shards of one run share them. */
      readonly shard?: Shard & { readonly plan: string; readonly untested: readonly string[] };
      /** The number of shards whose reports were merged into this run. */
      readonly merged?: number;
      /** The number of threads, if they are the parts of one run. */
      readonly workers?: number;
    }
  | {
      readonly kind: 'exchange';
      readonly suite: string;
      readonly property: string;
      readonly judged: CheckedExchange;
      /** When the request was sent, in milliseconds since 1970. */
      readonly startedAt: number;
    }
  /** A case shows something new. It is made smaller and sent again before its finding is reported. */
  | {
      readonly kind: 'case-failed';
      readonly suite: string;
      readonly property: string;
      readonly finding: Finding;
    }
  | { readonly kind: 'waiting'; readonly status: number; readonly ms: number }
  /** A message to the user, as a sentence. */
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'finding'; readonly finding: RunFinding }
  | { readonly kind: 'property-finished'; readonly result: PropertyResult }
  | { readonly kind: 'run-finished'; readonly result: RunResult };

/** A finding of recorded traffic. Cloche does not send it again, so nothing confirms or replays it. */
export interface TrafficFinding extends FoundCause {
  /** The locations of its occurrences: `exchange 12`, `entry 3 of session.har`. Reports show the example. */
  readonly seenAt: { readonly first: string; readonly last: string; readonly example: string };
}

/** Exchanges that could not be judged for one reason. */
export interface UncheckedExchanges {
  /** The reason in words: `its path is not in the document`. */
  readonly reason: string;
  readonly count: number;
  /** The location of the first of them. */
  readonly first: string;
}

/** The result of checked traffic. */
export interface TrafficResult extends Conclusions {
  readonly findings: readonly TrafficFinding[];
  readonly judged: number;
  /** The most frequent reason first. */
  readonly unjudged: readonly UncheckedExchanges[];
}

/** An event of the check of traffic, in order; reports read nothing else of it. */
export type TrafficEvent =
  | {
      readonly kind: 'traffic-started';
      /** The base URL. */
      readonly target: string;
      /** The source of the traffic: `proxy on http://127.0.0.1:4011`, `session.har`. */
      readonly from: string;
      readonly contract: { readonly title: string; readonly version: string; readonly source: string };
    }
  | {
      readonly kind: 'traffic-exchange';
      readonly place: string;
      /** Credentials are hidden in it. */
      readonly judged: CheckedExchange;
      /** When the request was seen, in milliseconds since 1970. */
      readonly startedAt: number;
    }
  | {
      readonly kind: 'traffic-unjudged';
      readonly place: string;
      readonly reason: string;
      /** The observed part of the exchange, with credentials hidden. */
      readonly exchange: Exchange;
      readonly startedAt: number;
    }
  | { readonly kind: 'traffic-finding'; readonly finding: TrafficFinding }
  | { readonly kind: 'traffic-finished'; readonly result: TrafficResult };
