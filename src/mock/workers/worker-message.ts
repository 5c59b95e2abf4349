import type { Contract } from '../../contract/contract.ts';
import { fingerprint } from '../../json/fingerprint.ts';
import { stringifyJson } from '../../json/print.ts';
import type { ClocheError } from '../../errors/cloche-error.ts';
import type { Policy } from '../../policy/policy.ts';
import type { MockClock } from '../clock.ts';
import {
  createHead,
  type MockResponse,
  type Reach,
  type RequestContent,
  type RequestHead,
  type RequestProblem,
} from '../message.ts';
import type { AnsweredRequest } from '../mock-context.ts';
import type { Listener, ListenOptions } from '../mock.ts';
import type { AnsweringOptions } from '../reload.ts';
import type { IssuedToken } from '../request/issued-tokens.ts';

/** The state of a mock that its workers follow. The rest is in the store, or only in the primary. */
export interface SharedState {
  /** A number that changes with the members from `document` to `filled`. */
  readonly revision: number;
  /** The fingerprint of the document. */
  readonly document: string;
  /** The configured policy values. */
  readonly answers: Partial<Policy>;
  /** The collections that are filled by something other than requests. */
  readonly filled: readonly string[];
  readonly contentLimit: number;
  /** Whether the primary answers all requests. */
  readonly takesAll: boolean;
  /** The ids of operations with a handler, whose requests the primary answers. */
  readonly handled: readonly string[];
  readonly clock: SharedClock;
}

/** The setting of a clock. */
interface SharedClock {
  readonly frozenAt: number | undefined;
  /** The difference to the clock of the machine, in milliseconds. */
  readonly offset: number;
}

/** A token that a mock issued, with its facts. */
export type SharedToken = readonly [token: string, facts: IssuedToken];

/** The options of a mock that decide how a worker answers. */
type WorkerOptions = Pick<
  AnsweringOptions,
  'tokens' | 'cors' | 'validate' | 'control' | 'data' | 'dataCount'
> & { readonly seed: number; readonly store: string };

/** The first message to a worker. */
export interface WorkerStart {
  readonly kind: 'start';
  /** The title of the contract at the start of the mock, which is part of the keys in a Redis. */
  readonly title: string;
  readonly where: ListenOptions;
  readonly options: WorkerOptions;
  readonly tokens: readonly SharedToken[];
}

/** A message from the primary to a worker. */
export type MessageToWorker =
  | WorkerStart
  /** Answered with `done` when the worker follows the state and has sent its log. */
  | {
      readonly kind: 'state';
      readonly id: number;
      readonly state: SharedState;
      readonly tokens: readonly SharedToken[];
    }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: MockResponse | undefined }
  | { readonly kind: 'failure'; readonly id: number; readonly reason: string }
  | { readonly kind: 'stop' };

/** A request that a worker leaves to the primary. */
export interface LeftRequest {
  /** The function of the responder, or of its control interface, that answers it. */
  readonly call: 'respond' | 'control' | 'refuse-control';
  readonly head: Pick<RequestHead, 'method' | 'target' | 'origin'> & { readonly fields: readonly string[] };
  readonly content?: RequestContent;
  readonly reach?: Reach;
}

/** A request that a worker answered. */
export interface WorkerLogEntry {
  /** The time of the response, in nanoseconds of the clock that all processes of a machine share. */
  readonly at: number;
  /** Without the function in its note. */
  readonly request: AnsweredRequest;
  readonly problems: readonly RequestProblem[] | undefined;
}

/** The parts of an error that a worker cannot start. */
type WorkerProblem = Pick<ClocheError, 'code' | 'attempt' | 'subject' | 'reason' | 'remedy'>;

/** A message from a worker to the primary. */
export type MessageFromWorker =
  /** The worker waits for `start`. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'listening'; readonly place: Pick<Listener, 'url' | 'isOpenToOthers' | 'certificate'> }
  | { readonly kind: 'unusable'; readonly problem: WorkerProblem }
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'log'; readonly entries: readonly WorkerLogEntry[] }
  | { readonly kind: 'request'; readonly id: number; readonly request: LeftRequest }
  /** A warning for the user. */
  | { readonly kind: 'warning'; readonly sentence: string };

/** Returns a fingerprint of the document of a contract. */
export function fingerprintOf({ root }: Contract): string {
  return fingerprint(stringifyJson(root));
}

/** Returns the setting of a clock. */
export function readClock(clock: MockClock): SharedClock {
  if (clock.isFrozen) return { frozenAt: clock.now(), offset: 0 };
  for (;;) {
    const machine = Date.now();
    const offset = clock.now() - machine;
    // The clock of the machine may have advanced between the two calls.
    if (Date.now() === machine) return { frozenAt: undefined, offset };
  }
}

/** Gives a clock a setting. */
export function setClock(clock: MockClock, { frozenAt, offset }: SharedClock): void {
  clock.reset();
  if (frozenAt !== undefined) clock.freeze(true);
  if (frozenAt !== undefined || offset !== 0) clock.set(frozenAt ?? Date.now() + offset);
}

/** Copies the head of a request for a message. */
export function toLeftHead(head: RequestHead): LeftRequest['head'] {
  return { method: head.method, target: head.target, origin: head.origin, fields: [...head.fields()] };
}

/** Restores the head of a request from a message. */
export function toHead({ fields, ...about }: LeftRequest['head']): RequestHead {
  return createHead(about, fields);
}

/** Copies the parts of a response that a transport writes. */
export function toSentAnswer({ status, headers, body, delivery, events }: MockResponse): MockResponse {
  return { status, headers, body, delivery, events, note: {} };
}

/** Converts a logged request to a message, which can carry no functions. */
export function toLogEntry(at: number, { answer, ...request }: AnsweredRequest): WorkerLogEntry {
  const { status, headers, body, note } = answer;
  const { problems, ...rest } = note;
  return {
    at,
    request: { ...request, answer: { status, headers, body, note: rest } },
    problems: problems?.(),
  };
}

/** Restores a logged request from a message. */
export function fromLogEntry({ request, problems }: WorkerLogEntry): AnsweredRequest {
  const { answer } = request;
  if (problems === undefined) return request;
  return { ...request, answer: { ...answer, note: { ...answer.note, problems: () => problems } } };
}
