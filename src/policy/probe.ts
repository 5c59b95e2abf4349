import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import type { HeaderList } from '../http/header-list.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Mask } from './mask.ts';
import type { QuestionId } from './question-id.ts';

/** The place of a key. Places of one slot have one key within a trial, never sent before. */
export interface ProbeKey {
  readonly slot: number;
  /** A whole number, in digits, that is added to a key that is a number. @defaultValue '0' */
  readonly offset?: string;
}

/** A piece of a body: text, or the place of a key. */
export type ProbePiece = string | ProbeKey;

/** A member of a JSON object, its value as the pieces of its JSON text. */
export interface ProbeMember {
  readonly name: string;
  readonly value: readonly ProbePiece[];
}

/** A request of a probe: one that is known to be taken, but for what is given here. */
export interface ProbeRequest {
  /** Undefined sends none. @defaultValue that of `sample()` */
  readonly body?: readonly ProbePiece[] | undefined;
  /** Undefined sends none. @defaultValue the declared one, where there is a body */
  readonly contentType?: string | undefined;
  readonly accept?: string;
  /** @defaultValue 'good' */
  readonly credentials?: 'good' | 'missing' | 'other-scheme' | 'unknown-token';
  /** @defaultValue that of the operation */
  readonly method?: string;
  /** Path and query below the base URL. @defaultValue that of the operation */
  readonly target?: string;
}

/** What a request of a probe was answered. */
export interface ProbeExchange {
  readonly status: number;
  /** Whether it is a success, 200 to 299. */
  readonly isAccepted: boolean;
  readonly headers: HeaderList;
  /** The media type without its parameters, in lower case. */
  readonly mediaType: string | undefined;
  /** The body that was sent, where it is JSON. */
  readonly sent: JsonValue | undefined;
  /** The body that came, where it is JSON. */
  readonly received: JsonValue | undefined;
  readonly receivedBytes: number;
  /** How many bytes of body were sent. */
  readonly sentBytes: number;
}

/** What a probe asks a service with. */
export interface Asker {
  readonly contract: Contract;
  readonly operation: Operation;
  /** The property of the body that holds the key, where the client sends it. */
  readonly key: { readonly property: string; readonly isNumber: boolean } | undefined;
  /** The members of a body that is known to be taken, with texts that were never sent before; undefined where the operation takes no JSON object. */
  readonly sample: (slot?: number) => readonly ProbeMember[] | undefined;
  /** Whether the schema of the operation takes a body, formats included. */
  readonly isValid: (body: readonly ProbePiece[]) => boolean;
  /**
   * Sends one request and waits for its answer; 429 and 503 are waited for, unless told otherwise.
   *
   * @throws Unanswered where no answer came
   */
  readonly send: (request: ProbeRequest, options?: { readonly waits: boolean }) => Promise<ProbeExchange>;
  /** What was settled of the questions that were asked before, as it stands in a policy file. */
  readonly settled: (id: QuestionId) => JsonValue | undefined;
  /** Finds out what cannot be asked again, as asking changes the answer; later trials get what the first one found. */
  readonly once: <T>(name: string, find: () => Promise<T>) => Promise<T>;
  /** The time, in milliseconds. */
  readonly clock: () => number;
  /** Sends nothing for so many milliseconds. */
  readonly rest: (ms: number) => Promise<void>;
}

/** What one trial of a probe came to. */
export type ProbeReading<Answer> =
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      /** Answers that nothing sent through this contract could tell from it. */
      readonly alike?: readonly Answer[];
    }
  /** Another answer hides it. */
  | ({ readonly kind: 'masked' } & Mask)
  | { readonly kind: 'unsettled'; readonly why: string }
  /** The operation gives no occasion to ask. */
  | { readonly kind: 'not-asked'; readonly why: string };

/** How to ask a running service a question. */
export interface Probe<Answer> {
  /** The most requests that one trial sends. */
  readonly mostRequests: number;
  /** Whether it shows nothing where the service takes no plain request. */
  readonly needsTaken: boolean;
  /** Whether the answer is one for the whole service, so that one operation is asked for all. @defaultValue false */
  readonly isOfService?: boolean;
  /** One trial; who asks repeats it, and compares. */
  readonly ask: (asker: Asker) => Promise<ProbeReading<Answer>>;
}
