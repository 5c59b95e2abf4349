import type { Finding } from '../check/finding.ts';
import type { CheckedExchange } from '../check/reading/subject.ts';
import type { Contract } from '../contract/contract.ts';
import type { Exchange, HttpRequest } from '../http/message.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { QuestionId } from '../policy/question.ts';

/** A finding that is known and may pass. */
export interface BaselineEntry {
  /** The stable id of the finding. */
  readonly id: string;
  /** What was found, for who reads the file; not compared with anything. */
  readonly title?: string;
  /** Why it may pass, for who reads it later. */
  readonly reason?: string;
  /** The last day on which it may pass, `2026-12-31`; undefined is for ever. */
  readonly expires?: string;
}

/** The findings that a run is to know already. */
export interface Baseline {
  readonly entries: readonly BaselineEntry[];
  /** The day of the run in UTC, `2026-11-21`, by which entries expire. */
  readonly today: string;
  /** Why the run cannot show all that there is, where it looks at a part: `only some suites are run`. */
  readonly partly: string | undefined;
}

/** The entry that lets a finding pass, or the one that did until it expired. */
export function lookUp(
  baseline: Pick<Baseline, 'entries' | 'today'> | undefined,
  id: string,
): { readonly known?: BaselineEntry; readonly expired?: BaselineEntry } {
  const entry = baseline?.entries.find((one) => one.id === id);
  if (baseline === undefined || entry === undefined) return {};
  // Days in this form are in the order of their letters.
  return entry.expires !== undefined && entry.expires < baseline.today
    ? { expired: entry }
    : { known: entry };
}

/** A place of the contract, as the user finds it in what they wrote. */
type Place = ReturnType<Contract['placeOf']>;

/** A response that the document declares, and how often it came. */
export interface ResponseCoverage extends Place {
  /** As it is declared: `200`, `4XX`, `default`. */
  readonly status: string;
  readonly seen: number;
  /** Why it never came, where that is so. */
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
  /** `pointer` is where the keyword stands in the document: `/components/schemas/NewItem/required`. */
  readonly keyword: string;
  /** Which values it is about. */
  readonly of: 'body' | 'parameter' | 'response';
  /** How many values the whole schema accepted, once one was seen to hold what the keyword is about; none until then. */
  readonly met: number;
  /** How often it was named as what is wrong with a value. */
  readonly broken: number;
  /** Why it was never met, or never broken by a request, where that is so. */
  readonly reason?: string;
}

/** What of one operation a run exercised. */
export interface OperationCoverage extends Place {
  /** The id of the operation, or its method and path. */
  readonly operation: string;
  readonly requests: number;
  /** Answers of success that a request without a fault got. */
  readonly accepted: number;
  readonly bodies: readonly BodyCoverage[];
  readonly responses: readonly ResponseCoverage[];
  /** Statuses that came and are not declared. */
  readonly undeclared: readonly { readonly status: number; readonly seen: number }[];
  readonly keywords: readonly KeywordCoverage[];
  /** Why nothing, or not all, of it was exercised, where that is so and the reason is known. */
  readonly reason?: string;
  /** Set if no request was sent that the operation should accept. */
  readonly isUntested?: true;
}

/** Answers as they stand in a policy file. */
export type ProposedAnswers = Readonly<Partial<Record<QuestionId, JsonValue>>>;

/** The answers by which a mock would do what the service under test was seen to do. */
export interface PolicyProposal {
  readonly answers: ProposedAnswers;
  /** By the id of the operation, where operations answer one question differently. */
  readonly operations: Readonly<Record<string, ProposedAnswers>>;
  /** The questions that the service answers in more than one way, so that one answer does not say all of it. */
  readonly unsure: readonly QuestionId[];
}

/** What comparing two services came to. */
export interface ParityResult {
  /** The other service, as its URL, or `the in-process mock`. */
  readonly name: string;
  /** What reports call the two services: `the service`, `the mock`, `the other service`. */
  readonly names: { readonly tested: string; readonly other: string };
  /** How many pairs of answers were compared, and how many of them differ, before they are grouped by cause. */
  readonly compared: number;
  readonly differing: number;
  /** How many requests the other one left unanswered, which could not be compared. */
  readonly unanswered: number;
  /** The properties that the two are not compared by, and why. */
  readonly notCompared: readonly NotChecked[];
  readonly proposal: PolicyProposal;
}

/** A value of an answer that later requests hold: the id of what a create made. */
export interface TakenValue {
  /** The place of the request, in the list of them, whose answer has it. */
  readonly from: number;
  /** Where it stands in the content of that answer; undefined where it ends the path of Location. */
  readonly pointer: JsonPointer | undefined;
  /** What stands in its place in later requests: `{petId}`. */
  readonly placeholder: string;
}

/** A finding with the exchange that shows it, wherever that came from. */
export interface FoundCause {
  /** Names the cause in whichever run it is seen: it depends on no seed, key or generated value. */
  readonly id: string;
  readonly finding: Finding;
  /** The exchange that shows it, the smallest that was found. */
  readonly exchange: CheckedExchange;
  /** The requests that show it, in order: of a run with keys that it has not sent, of traffic as they were sent. */
  readonly requests: readonly HttpRequest[];
  /** What the requests take from the answers of those before them; missing where they take nothing. */
  readonly taken?: readonly TakenValue[];
  /** The same requests as another service is sent them, where two are compared and it answers otherwise. */
  readonly elsewhere?: readonly HttpRequest[];
  /** Whether they show it only when they are sent side by side. */
  readonly sideBySide?: true;
  /** What each of several requests was answered, a status or why there was none; missing where that is not known. */
  readonly outcomes?: readonly string[];
  /** The exchanges before `exchange`, in order, as they were when it was found; missing as `outcomes` is. */
  readonly earlier?: readonly CheckedExchange[];
  /** How often it was seen. */
  readonly count: number;
  /** The entry of the baseline that lets it pass, where there is one that holds today. */
  readonly known?: BaselineEntry;
  /** The entry of the baseline that let it pass until it expired. */
  readonly expired?: BaselineEntry;
}

/** A finding of a run, with all that a reader needs to see it again. */
export interface RunFinding extends FoundCause {
  readonly suite: string;
  readonly property: string;
  /** What replays it: `--seed` and `--path`. */
  readonly replay: { readonly seed: number; readonly path: string };
  /** How often it came back when its case was run again. */
  readonly confirmed: { readonly seen: number; readonly tried: number };
}

/** Something that was not checked, and why. */
export interface NotChecked {
  readonly what: string;
  readonly reason: string;
  /** True where the document gives a suite no occasion, so that nothing is missing. */
  readonly notApplicable?: true;
  /** True if the reason names items that the run could not delete. */
  readonly isLeftBehind?: true;
}

/**
 * What the exchanges of a property say of its statement (held: nothing against it; broken: a violation; warned: a
 * warning; given-up: every further case might have taken a whole time-out; cut-off: the run ended before its cases did;
 * unjudged: no case showed anything).
 */
export type Verdict = 'held' | 'broken' | 'warned' | 'given-up' | 'cut-off' | 'unjudged';

/** What one property came to. */
export interface PropertyResult {
  readonly suite: string;
  readonly property: string;
  readonly title: string;
  readonly cases: number;
  readonly requests: number;
  /** What its own exchanges came to, whoever was the first to show it. */
  readonly verdict: Verdict;
}

/** What was concluded from exchanges, wherever they came from. */
export interface Conclusions {
  /** What the document is silent about and how the service answers, with how often it was seen. */
  readonly notes: readonly { readonly finding: Finding; readonly count: number }[];
  readonly notChecked: readonly NotChecked[];
  readonly durationMs: number;
  readonly interrupted: boolean;
  /** What of the contract was exercised, operation by operation. */
  readonly coverage: readonly OperationCoverage[];
  /** The entries of the baseline that a whole run did not see; empty without a baseline. */
  readonly gone: readonly BaselineEntry[];
  /** How `--update-baseline` changed the baseline, in words; undefined without that option. */
  readonly baselineUpdate?: string;
  /** What comparing two services came to; missing where there is but one. */
  readonly parity?: ParityResult;
}

/** What a run came to. */
export interface RunResult extends Conclusions {
  readonly seed: number;
  /** The first and the last key that the run may have used. */
  readonly keys: readonly [from: number, to: number];
  readonly findings: readonly RunFinding[];
  readonly properties: readonly PropertyResult[];
  /** How many cases there were to be: which examples there are is seen when they are made. */
  readonly planned: number;
  readonly requests: number;
  /** Answers of 429 and 503 that were waited for. */
  readonly waits: number;
  /** The exchanges broken off before the service was gone, plain ones last; empty where it is still there. */
  readonly brokenOff: readonly CheckedExchange[];
}

/** What happens in a run, in order; reports read nothing else of it. */
export type RunEvent =
  | {
      readonly kind: 'run-started';
      readonly target: string;
      readonly contract: { readonly title: string; readonly version: string; readonly source: string };
      readonly seed: number;
      readonly keys: readonly [from: number, to: number];
      readonly properties: number;
      /** How many there are at most, as no case is made to count them. */
      readonly cases: number;
      /** The most requests that they make, of which each may create something. */
      readonly creates: number;
      /** The collections whose items the run cannot delete; missing if it deletes nothing or creates nothing. */
      readonly keptForEver?: readonly string[];
    }
  | {
      readonly kind: 'exchange';
      readonly suite: string;
      readonly property: string;
      readonly judged: CheckedExchange;
      /** When the request was sent, in milliseconds since 1970. */
      readonly startedAt: number;
    }
  | { readonly kind: 'waiting'; readonly status: number; readonly ms: number }
  /** Something that the user should know, as a sentence. */
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'finding'; readonly finding: RunFinding }
  | { readonly kind: 'property-finished'; readonly result: PropertyResult }
  | { readonly kind: 'run-finished'; readonly result: RunResult };

/** A finding of traffic that somebody else made. It is not sent again, so that nothing confirms or replays it. */
export interface TrafficFinding extends FoundCause {
  /** Where it was seen, in words: `exchange 12`, `entry 3 of session.har`; the example is the one that is shown. */
  readonly seenAt: { readonly first: string; readonly last: string; readonly example: string };
}

/** Exchanges that could not be judged for one reason. */
export interface Unjudged {
  /** In words: `its path is not in the document`. */
  readonly reason: string;
  readonly count: number;
  /** Where the first of them was seen. */
  readonly first: string;
}

/** What traffic came to. */
export interface TrafficResult extends Conclusions {
  readonly findings: readonly TrafficFinding[];
  readonly judged: number;
  /** The most frequent reason first. */
  readonly unjudged: readonly Unjudged[];
}

/** What happens while traffic is judged, in order; reports read nothing else of it. */
export type TrafficEvent =
  | {
      readonly kind: 'traffic-started';
      /** The base URL. */
      readonly target: string;
      /** What the traffic is, in words: `proxy on http://127.0.0.1:4011`, `session.har`. */
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
      /** As far as it was seen, with credentials hidden. */
      readonly exchange: Exchange;
      readonly startedAt: number;
    }
  | { readonly kind: 'traffic-finding'; readonly finding: TrafficFinding }
  | { readonly kind: 'traffic-finished'; readonly result: TrafficResult };
