import type { listJudges } from '../check/judge.ts';
import type { Contract } from '../contract/contract.ts';
import type { Baseline, ParityResult, RunEvent } from '../events/events.ts';
import type { Send, HeaderList } from '../http/message.ts';
import type { HeldPolicy } from '../policy/policy.ts';
import type { CredentialsProvider } from './credentials.ts';

/** What is tested, and what is known of it. */
export interface Target extends HeldPolicy {
  /** What it is held to. */
  readonly contract: Contract;
  /** In words: the base URL, or `the in-process mock`. */
  readonly name: string;
  readonly send: Send;
  /** Sends over a raw socket; undefined where there is no connection. */
  readonly socketSend: Send | undefined;
  /** What curl lines name. */
  readonly baseUrl: string;
  readonly token: string | undefined;
  /** Where credentials come from. @defaultValue the token, for all schemes */
  readonly credentials?: CredentialsProvider | undefined;
  /** Sent with every request besides its own. */
  readonly headers: HeaderList;
  /** Those of the headers that the user gave; they set header parameters of operations. @defaultValue none */
  readonly givenHeaders?: HeaderList;
  /** Those that carry credentials by the document: probes of credentials replace or omit them. @defaultValue none */
  readonly credentialHeaders?: HeaderList;
  /** What no report may show. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

/** What a run needs of a target, as a mock has it; without a policy it is held to the contract alone. */
export type RunTarget = Pick<Target, 'contract' | 'send'> & Partial<Target>;

/** A service that is sent what the service under test is sent, to see whether they answer alike. */
export interface Against extends Pick<
  Target,
  'name' | 'send' | 'policy' | 'enforced' | 'echo' | 'token' | 'credentials' | 'credentialHeaders'
> {
  readonly names: ParityResult['names'];
}

/** What a run tests and how, with the default of each option that was not given; a time of Infinity is no limit. */
export type RunSettings = Omit<Target, 'baseUrl' | 'headers' | 'secrets' | 'close'> &
  Required<Omit<RunOptions, SettledOption | 'timeFrom'>> & {
    readonly [Option in SettledOption]-?: NonNullable<RunOptions[Option]>;
  } & Pick<RunTarget, 'baseUrl'> & {
    /** The checks of single exchanges. @defaultValue those of Cloche */
    readonly judges?: ReturnType<typeof listJudges> | undefined;
  };

/** How a run differs from the usual. */
export interface RunOptions {
  /** What the random cases follow from. @defaultValue drawn at random; the findings name it */
  readonly seed?: number | undefined;
  /** Replays one case: `suite/property:0:1`. */
  readonly path?: string | undefined;
  /**
   * How many cases each property tries, its examples included.
   * @defaultValue up to 100, fewer where the document has many operations
   */
  readonly runs?: number | undefined;
  /** How many properties are under way at once. @defaultValue 10 */
  readonly connections?: number | undefined;
  /** The keys that the run may use, inclusive, within 1 to 2^31−1. @defaultValue a million, from a random one on */
  readonly keys?: readonly [from: number, to: number] | undefined;
  /** Maximum requests per second. @defaultValue no limit */
  readonly rate?: number | undefined;
  /** How long 429 and 503 are waited for in all, in milliseconds. @defaultValue 60_000 */
  readonly rateWaitMs?: number | undefined;
  /** The findings that are known. @defaultValue none */
  readonly baseline?: Baseline | undefined;
  /** How long the run may take, in milliseconds; what is under way then is broken off. @defaultValue no limit */
  readonly maxTimeMs?: number | undefined;
  /**
   * When that time began, in milliseconds of `performance.now`, as reading the document takes of it: 0 is the start of the
   * process. @defaultValue when the run begins
   */
  readonly timeFrom?: number | undefined;
  /** Another service that is sent the same, to see whether they answer alike. @defaultValue none */
  readonly against?: Against | undefined;
  /** Stop at the first new violation. @defaultValue false */
  readonly bail?: boolean | undefined;
  /** Whether methods may be sent that could change what is not ours (PUT, PATCH, DELETE). @defaultValue false */
  readonly unsafeMethods?: boolean | undefined;
  /** Whether nothing is sent but GET, HEAD and OPTIONS. @defaultValue false */
  readonly readOnly?: boolean | undefined;
  /** Whether what the run made is left there; else it is deleted at the end, where DELETE is declared. @defaultValue false */
  readonly keep?: boolean | undefined;
  /** Interrupts the run, whose result tells what was found by then. */
  readonly signal?: AbortSignal | undefined;
  /** Called with what happens, as reports are. */
  readonly emit?: ((event: RunEvent) => void) | undefined;
}

/** The options that have a value in every run. */
type SettledOption = Exclude<
  keyof RunOptions,
  'path' | 'runs' | 'rate' | 'baseline' | 'against' | 'signal' | 'timeFrom'
>;
