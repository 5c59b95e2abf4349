import type { RequestCase } from '../arbitrary/request-case.ts';
import type { listJudges } from '../check/judge.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { Baseline, ParityResult, RunEvent, Shard } from '../events/events.ts';
import type { Send, HeaderList } from '../http/message.ts';
import type { EnforcedPolicy } from '../policy/policy.ts';
import type { CredentialsProvider, OtherUsers } from './credentials.ts';
import type { Politeness } from './throttle.ts';

/** A service under test, and the facts about it. */
export interface Target extends EnforcedPolicy {
  /** The contract that is enforced. */
  readonly contract: Contract;
  /** As a text: the base URL, or `the in-process mock`. */
  readonly name: string;
  readonly send: Send;
  /** Sends over a raw socket; undefined if there is no connection. */
  readonly socketSend: Send | undefined;
  /** The reason why raw sockets do not reach the service, though others do. @defaultValue they reach it */
  readonly whyNoSocket?: string | undefined;
  /** Whether it is a mock of Cloche, which needs no clean-up. @defaultValue whether it has no raw socket */
  readonly isMock?: boolean;
  /** The base URL in curl lines. */
  readonly baseUrl: string;
  readonly token: string | undefined;
  /** The source of credentials. @defaultValue the token, for all schemes */
  readonly credentials?: CredentialsProvider | undefined;
  /** @defaultValue there are no others */
  readonly users?: OtherUsers | undefined;
  /** Header fields added to every request. */
  readonly headers: HeaderList;
  /** The headers that the user gave. They set header parameters of operations. @defaultValue none */
  readonly givenHeaders?: HeaderList;
  /** Headers that carry declared credentials: probes of credentials replace or omit them. @defaultValue none */
  readonly credentialHeaders?: HeaderList;
  /** The outgoing proxy, with its credentials. @defaultValue none */
  readonly proxy?: URL | undefined;
  /** Values that no report may show. */
  readonly secrets: readonly string[];
  /**
   * Calls a function with each secret of the credentials and its description: with known ones now, with fetched ones
   * before the first request that carries them. @defaultValue there are none
   */
  readonly watchSecrets?: (listener: (value: string, meaning: string) => void) => void;
  /** Waits until the service answers, or throws CANNOT_JUDGE. @defaultValue a run does not wait */
  readonly ready?: () => Promise<void>;
  close(): Promise<void>;
}

/** The required parts of a target, as in a mock. Without a policy, only the contract is enforced. */
export type RunTarget = Pick<Target, 'contract' | 'send'> & Partial<Target>;

/** A reference service that receives the same requests, to compare the responses. */
export interface Against extends Pick<
  Target,
  | 'name'
  | 'send'
  | 'policy'
  | 'enforced'
  | 'echo'
  | 'token'
  | 'credentials'
  | 'users'
  | 'credentialHeaders'
  | 'ready'
> {
  readonly names: ParityResult['names'];
}

/** The settings of a run, including the defaults of options that were not given. A time of Infinity is no limit. */
export type RunSettings = Omit<
  Target,
  'isMock' | 'baseUrl' | 'headers' | 'secrets' | 'proxy' | 'watchSecrets' | 'ready' | 'close'
> &
  Required<Omit<RunOptions, SettledOption | 'timeFrom'>> & {
    readonly [Option in SettledOption]-?: NonNullable<RunOptions[Option]>;
  } & Pick<RunTarget, 'baseUrl'> & {
    readonly isMock: boolean;
    /** The checks of single exchanges. @defaultValue those of Cloche */
    readonly judges?: ReturnType<typeof listJudges> | undefined;
    /** Changes each case before it is sent. @defaultValue nothing is changed */
    readonly beforeCase?: ((request: RequestCase) => Promise<RequestCase>) | undefined;
  };

/** The settings of a run that concern the requests to its service. */
export type ServiceSettings = Pick<
  RunSettings,
  | 'contract'
  | 'name'
  | 'send'
  | 'socketSend'
  | 'baseUrl'
  | 'isMock'
  | 'policy'
  | 'enforced'
  | 'echo'
  | 'judges'
  | 'beforeCase'
  | 'token'
  | 'credentials'
  | 'users'
  | 'givenHeaders'
  | 'credentialHeaders'
  | 'excluded'
  | 'unsafeMethods'
  | 'readOnly'
  | 'maxCreates'
  | 'maxResponseMs'
  | 'rate'
  | 'rateWaitMs'
  | 'signal'
> &
  Pick<Politeness, 'clock' | 'sleep'>;

/** The other parts of a run that is shared out. */
interface OtherParts {
  /** Returns whether another part ended the run. */
  readonly isOver: () => boolean;
  /** Reports to the others that the run ends at a violation. */
  readonly bailed: () => void;
  /** Resolves to whether no other part found this cause before: the first one makes its case smaller. */
  readonly isFirstTo: (cause: string) => Promise<boolean>;
}

/** Options of a run. */
export interface RunOptions {
  /** The seed of the random cases. @defaultValue drawn at random; the findings name it */
  readonly seed?: number | undefined;
  /** Replays one case: `suite/property:0:1`. */
  readonly path?: string | undefined;
  /**
   * The number of cases per property, including its examples.
   * @defaultValue up to 100, fewer if the document has many operations
   */
  readonly runs?: number | undefined;
  /** The number of properties that run concurrently. @defaultValue 10 */
  readonly connections?: number | undefined;
  /** The ids that the run may use, inclusive, within 1 to 2^31−1. @defaultValue a million, from a random one on */
  readonly keys?: readonly [from: number, to: number] | undefined;
  /** Maximum requests per second. @defaultValue no limit */
  readonly rate?: number | undefined;
  /** The total time to wait because of 429 and 503, in milliseconds. @defaultValue 60_000 */
  readonly rateWaitMs?: number | undefined;
  /** Runs only a part of the properties: always the same ones for the same plan. @defaultValue all */
  readonly shard?: Shard | undefined;
  /** The other parts of the run, if it is a shard that runs at the same time. @defaultValue there are none */
  readonly together?: OtherParts | undefined;
  /** The known findings. @defaultValue none */
  readonly baseline?: Baseline | undefined;
  /** The maximum time of the run, in milliseconds; then pending requests are aborted. @defaultValue no limit */
  readonly maxTimeMs?: number | undefined;
  /**
   * The start of that time, in milliseconds of `performance.now`; 0 is the start of the process. An earlier start
   * includes reading the document. @defaultValue when the run begins
   */
  readonly timeFrom?: number | undefined;
  /** A reference service that receives the same requests, to compare the responses. @defaultValue none */
  readonly against?: Against | undefined;
  /** Stop at the first new violation. @defaultValue false */
  readonly bail?: boolean | undefined;
  /** Whether PUT, PATCH and DELETE may change items that the run did not create. @defaultValue false */
  readonly unsafeMethods?: boolean | undefined;
  /** Whether only GET, HEAD and OPTIONS are sent. @defaultValue false */
  readonly readOnly?: boolean | undefined;
  /** Operations that are not tested. They still create the items that others need, unless `isolated`. @defaultValue none */
  readonly excluded?: readonly Operation[] | undefined;
  /** Whether excluded operations are never sent. @defaultValue false */
  readonly isolated?: boolean | undefined;
  /** The maximum number of items that the run creates in a service, helper items included. @defaultValue no limit */
  readonly maxCreates?: number | undefined;
  /** The maximum time of a response, in milliseconds; a longer one is a violation. @defaultValue no limit */
  readonly maxResponseMs?: number | undefined;
  /** Whether created items stay. Otherwise the run deletes them at its end by declared DELETEs. @defaultValue false */
  readonly keep?: boolean | undefined;
  /** Interrupts the run. Its result contains the findings so far. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each event, as reports are. */
  readonly emit?: ((event: RunEvent) => void) | undefined;
}

/** The options that have a value in every run. */
type SettledOption = Exclude<
  keyof RunOptions,
  | 'path'
  | 'runs'
  | 'rate'
  | 'shard'
  | 'together'
  | 'maxResponseMs'
  | 'baseline'
  | 'against'
  | 'signal'
  | 'timeFrom'
>;
