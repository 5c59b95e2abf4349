import type { Contract } from '../contract/contract.ts';
import type { ClocheError } from '../errors/cloche-error.ts';
import type { CurlConnection } from '../http/curl.ts';
import type { HeaderList } from '../http/message.ts';
import type { ShellName } from '../http/windows-shells.ts';
import type { FoundCause, RunEvent, RunFinding, TrafficEvent, TrafficFinding } from '../events/events.ts';

/** Returns whether a finding fails the run: a violation, or a warning in a strict run, that the baseline lacks. */
export function failsRun(
  { finding, known }: FoundCause,
  { strict = false }: { readonly strict?: boolean },
): boolean {
  return known === undefined && (finding.level === 'violation' || (strict && finding.level === 'warning'));
}

/** An event that a report reads: of a run, or of checked traffic. */
export type ReportEvent = RunEvent | TrafficEvent;

/** The way in which a run ended, besides its result. */
export interface RunEnd {
  /** False if the service could no longer be judged. */
  readonly isWhole: boolean;
  /** The reason why it is not whole, in words, if known. */
  readonly why?: string;
  /** The exit code of the command, if it is not whole. */
  readonly exitCode?: ClocheError['exitCode'];
}

/** A reader that writes the events of a run or of traffic in some format. */
export interface Report {
  /** Reads the next event. Events come in the order in which they happen. */
  readonly read: (event: ReportEvent) => void;
  /** Ends the report. It is called once, however the run ended, and also if it ended before it began. */
  readonly end: (run: RunEnd) => void;
}

/**
 * Options of every report that is written to a file: how requests are shown, what may not appear, and where the text
 * goes.
 */
export interface ReportOptions extends FindingContext {
  /** Writes a piece of the report. A report that is one text writes it at the end. */
  readonly write: (text: string) => void;
  /** The version of Cloche: `0.1.0`. */
  readonly toolVersion: string;
  /** The contract that the service was checked against; `locate` finds the line of a clause in the user's text. */
  readonly contract: Contract;
  /** A description of each secret, in the order of the secrets: `the token`. */
  readonly secretMeanings: readonly string[];
  /** The property that was replayed, `suite/property`; undefined for a whole run. */
  readonly replayed: string | undefined;
  /** Whether warnings fail the run too. */
  readonly strict: boolean;
  /** The minimum percentage of the declared operations that must return a success. @defaultValue none */
  readonly minCoverage?: number | undefined;
  /** The options of a sharded run that apply when its reports are merged. @defaultValue none */
  readonly shard?: {
    /** Undefined if all suites run. */
    readonly suites?: readonly string[] | undefined;
    readonly minCoverage?: number | undefined;
  };
  /** The time of day, in milliseconds since 1970. */
  readonly now: () => number;
}

/** A finding in a report: of a run, which can be replayed, or of recorded traffic. */
export type ReportedFinding = RunFinding | TrafficFinding;

/** Context of the view of a finding. */
export interface FindingContext extends CurlConnection {
  /** The base URL that curl lines name. */
  readonly baseUrl: string;
  /** The command that is replayed, `cloche test http://127.0.0.1:4010`, quoted for the shell. */
  readonly command: string;
  /** The shell that printed lines are for. @defaultValue bash */
  readonly shell?: ShellName | undefined;
  /** The document, as the user named it. */
  readonly source: string;
  /** Texts that must not appear. */
  readonly secrets: readonly string[];
  /** A description of each secret, in their order. In curl lines, secrets with the same one share a variable. */
  readonly secretMeanings?: readonly string[] | undefined;
  /** Header fields that are added to every request. */
  readonly headers: HeaderList;
  /** The other service that receives the requests of a finding, if two services are compared. */
  readonly elsewhere?: { readonly baseUrl: string; readonly headers: HeaderList } | undefined;
  /** Finds the line of a clause in the user's text. @defaultValue none; then no line is named */
  readonly contract?: Contract;
  /** Whether warnings fail the run too. @defaultValue false */
  readonly strict?: boolean;
}
