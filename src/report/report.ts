import type { Contract } from '../contract/contract.ts';
import type { HeaderList } from '../http/message.ts';
import type { FoundCause, RunEvent, RunFinding, TrafficEvent, TrafficFinding } from '../events/events.ts';

/** Whether a finding fails the run: a violation, or a warning of a strict run, that the baseline does not know. */
export function failsRun(
  { finding, known }: FoundCause,
  { strict = false }: { readonly strict?: boolean },
): boolean {
  return known === undefined && (finding.level === 'violation' || (strict && finding.level === 'warning'));
}

/** What a report reads: what happens in a run, or while traffic is judged. */
export type ReportEvent = RunEvent | TrafficEvent;

/** How a run ended, besides what it came to. */
export interface RunEnd {
  /** False where the service could no longer be judged. */
  readonly isWhole: boolean;
  /** Why it is not whole, in words, where that is known. */
  readonly why?: string;
}

/** A reader of the events of a run, or of traffic, that writes them down, in whichever form. */
export interface Report {
  /** Takes the next event; called in the order in which they happen. */
  readonly read: (event: ReportEvent) => void;
  /** Ends the report: called once, however the run ended, and also where it ended before it began. */
  readonly end: (run: RunEnd) => void;
}

/**
 * What every report that is written to a file is made with: how requests are shown, what may not appear, and
 * where the text goes.
 */
export interface ReportOptions extends FindingContext {
  /** Takes the text of the report, piece after piece; a report that is one text gives it at the end. */
  readonly write: (text: string) => void;
  /** The version of Cloche: `0.1.0`. */
  readonly toolVersion: string;
  /** What the service was held to; `locate` finds the line of a clause in the user's text. */
  readonly contract: Contract;
  /** What each secret is, in words, in the order of the secrets: `the token`. */
  readonly secretMeanings: readonly string[];
  /** The property that was replayed, `suite/property`; undefined where a whole run was made. */
  readonly replayed: string | undefined;
  /** Whether warnings fail the run too. */
  readonly strict: boolean;
  /** The percentage of the declared operations that have to be answered with a success. @defaultValue none */
  readonly minCoverage?: number | undefined;
  /** The time of day, in milliseconds since 1970. */
  readonly now: () => number;
}

/** A finding as reports tell it: of a run, which can be replayed, or of traffic that somebody else made. */
export type ReportedFinding = RunFinding | TrafficFinding;

/** What the view of a finding needs besides the finding. */
export interface FindingContext {
  /** The base URL that curl lines name. */
  readonly baseUrl: string;
  /** The command that is replayed, `cloche test http://127.0.0.1:4010`. */
  readonly command: string;
  /** The document, as it was named. */
  readonly source: string;
  /** What must not appear. */
  readonly secrets: readonly string[];
  readonly insecure: boolean;
  /** The file with the certificate authority to trust, if one was named. */
  readonly ca?: string | undefined;
  /** Sent with every request besides its own. */
  readonly headers: HeaderList;
  /** Where the requests of a finding go too, where two services are compared. */
  readonly elsewhere?: { readonly baseUrl: string; readonly headers: HeaderList } | undefined;
  /** Finds the line of a clause in the user's text. @defaultValue none, so that no line is named */
  readonly contract?: Contract;
  /** Whether warnings fail the run too. @defaultValue false */
  readonly strict?: boolean;
}
