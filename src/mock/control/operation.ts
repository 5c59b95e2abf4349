import type { Contract } from '../../contract/contract.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Callbacks } from '../callbacks/callback.ts';
import type { MockClock } from '../clock.ts';
import type { FaultRules } from '../faults/fault.ts';
import type { RequestLog } from '../log/filter.ts';
import type { IssuedTokens } from '../request/issued-tokens.ts';
import type { MaybePromise, MockResponse, ResetPart } from '../message.ts';
import type { ChangeReport } from '../state/migrate-state.ts';
import type { MockChange } from '../reload.ts';
import type { MockState } from '../state/rows.ts';
import type { StoreLocation } from '../store/store.ts';
import type { BodyOf, ControlOperationId, controlLines, ParametersOf, ShownOf } from './calls.ts';

/** The prefix of all paths of the control interface. */
export const controlPrefix = '/__cloche';

/** The largest body that the control interface reads, in bytes; an import may be large. */
export const mostControlBytes = 67_108_864;

/** The objects that the operations of the control interface act on. */
export interface ControlContext {
  readonly mock: {
    readonly contract: Contract;
    readonly policy: Policy;
    readonly notices: readonly string[];
    readonly clock: MockClock;
    readonly requests: RequestLog;
    readonly callbacks: Callbacks;
    readonly faults: FaultRules;
    readonly state: MockState;
    readonly change: (next: MockChange) => Promise<ChangeReport>;
    readonly reset: (parts?: readonly ResetPart[]) => Promise<void>;
  };
  /** Further facts about the mock. */
  readonly facts: {
    /** The version of this package. */
    readonly version: string;
    /** Milliseconds since 1970. */
    readonly startedAt: number;
    readonly store: StoreLocation['kind'];
    /** Returns the configured policy values, without the defaults and those of the document. */
    readonly givenPolicy: () => Partial<Policy>;
    /** Whether only listed credentials are accepted. */
    readonly hasTokens: boolean;
    /** Whether the mock sends callbacks. */
    readonly sendsCallbacks: boolean;
    /** The tokens that the mock issued. */
    readonly issued: IssuedTokens;
  };
}

/** A valid request to an operation of the control interface. */
export interface ControlRequest<Id extends ControlOperationId> {
  /** The parameters that were sent. */
  readonly parameters: ParametersOf<Id>;
  /** The body; its numbers keep their digits. */
  readonly body: BodyOf<Id>;
}

/** The response of an operation of the control interface. */
export interface ControlResult<Shown = unknown> {
  readonly status: number;
  /** JSON, except that undefined members are left out; undefined for a response without content. */
  readonly body?:
    | Shown
    | { readonly code: number; readonly message: string; readonly rows?: unknown }
    | undefined;
  /** The path of a new item, without the prefix. */
  readonly location?: string;
}

/**
 * Carries out an operation of the control interface. Returns the response, or nothing for 204.
 *
 * @throws ClocheError if the request asks for something impossible; nothing was changed then
 */
export type ControlOperation<Id extends ControlOperationId, Shown = ShownOf<Id>> = (
  request: ControlRequest<Id>,
  context: ControlContext,
) => MaybePromise<ControlResult<Shown> | (undefined extends Shown ? void : never)>;

/** The operations of the control interface, by their ids. */
export type ControlOperations = {
  readonly [Id in ControlOperationId]: ControlOperation<Id>;
};

/** The operations whose paths begin with a prefix. */
export type OperationsAt<Path extends string> = {
  readonly [
    Id in ControlOperationId as (typeof controlLines)[Id] extends `${string} ${Path}${string}` ? Id : never
  ]: ControlOperation<Id>;
};

/**
 * Returns a file of the inspector, or undefined if it does not exist. A file contains no data of the mock.
 *
 * @param path - the path after the prefix of the control interface: `/`, `/docs`, `/inspector/page.js`
 */
export type ServePage = (path: string) => MaybePromise<MockResponse | undefined>;

/** Returns the response to a successful request. */
export function ok<Shown>(body: Shown): ControlResult<Shown> {
  return { status: 200, body };
}

/** Returns the response to a refused request; the message gives the reason as a sentence. */
export function refuse(status: number, message: string): ControlResult<never> {
  return { status, body: { code: status, message } };
}
