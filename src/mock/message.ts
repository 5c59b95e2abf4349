import type { TextLocation } from '../document/document.ts';
import { toHeaderList } from '../http/message.ts';
import { pointerTokens, resolvePointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import type { StreamOptions } from '../contract/contract.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { Condition, BehaviourId } from '../policy/behaviour.ts';
import { breakOff, type PassedContent } from './passed-content.ts';

/** A value or a promise of it. The hot path avoids promises, which would cost more than the work. */
export type MaybePromise<T> = T | Promise<T>;

/** Passes a value to a function, now or when its promise resolves. */
export function whenThere<T, U>(
  value: MaybePromise<T>,
  goOn: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then((later) => goOn(later)) : goOn(value);
}

/** Tries items in order, and returns the first result that is defined. */
export function firstThere<T, U>(
  items: readonly T[],
  find: (item: T) => MaybePromise<U | undefined>,
): MaybePromise<U | undefined> {
  for (const [index, item] of items.entries()) {
    const found = find(item);
    if (found instanceof Promise)
      return found.then((later) => later ?? firstThere(items.slice(index + 1), find));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Maps each item. Returns a promise if any of the results is one. */
export function eachThere<T, U>(
  items: readonly T[],
  make: (item: T) => MaybePromise<U>,
): MaybePromise<readonly U[]> {
  const made = items.map(make);
  // `as`: none of the results is a promise.
  return made.some((one) => one instanceof Promise) ? Promise.all(made) : (made as U[]);
}

/**
 * The reason a request gets no regular response: it is not valid HTTP, it never ends, the store is unavailable, the
 * document does not specify the response, or the mock has a bug. `Cloche-Undeclared` and the log name it.
 */
export type ConnectionFault =
  | 'not-http'
  | 'invalid-host'
  | 'request-timeout'
  | 'header-fields-too-large'
  | 'chunk-extensions-too-large'
  | 'store-unavailable'
  | 'internal-error'
  /** The operation has a schema that cannot be compiled, or for which no value was found. */
  | 'not-mocked'
  /** A handler of the user threw an error, or returned something that is no response. */
  | 'handler-failed'
  /** The service behind the mock did not answer. */
  | 'fallback-failed';

/** A problem in a request. */
export interface RequestProblem {
  /** A JSON Pointer into the body (RFC 6901); undefined if the problem is not in the body. */
  readonly pointer?: string | undefined;
  readonly parameter?:
    | { readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie'; readonly name: string }
    | undefined;
  /** The position of the syntax error in a body that is not JSON, in characters from 0. */
  readonly position?: number | undefined;
  readonly reason: string;
  readonly clause?: BrokenClause | undefined;
}

/** A clause of the document or the policy that a request broke. */
export interface BrokenClause {
  readonly in: 'document' | 'policy';
  /** A JSON Pointer into the document or the policy. */
  readonly pointer: string;
  /** The text of the clause: `required: [id, name]`. */
  readonly text: string;
  /** The position of the clause in the text of the document; a list of requests omits it. */
  readonly location?: TextLocation | undefined;
}

/** A request that the mock answered. It contains no credentials. */
export interface LoggedRequest {
  /** The number of the request, from 1 since the mock started; no number is reused. */
  readonly id: number;
  /** The time at which it arrived, by the clock of the mock, in milliseconds since 1970. */
  readonly time: number;
  /**
   * The time from its head to its response, in milliseconds, with the delay of a fault, which may not be over yet. For a
   * stream of a real service, the time to its end, after which it is logged.
   */
  readonly durationMs: number;
  readonly method: string;
  /** The path and query as sent. */
  readonly target: string;
  /** The id of the operation, if the request matched one. */
  readonly operation?: string | undefined;
  /** The item that it read, created or changed, or tried to; undefined if it was not about a single item. */
  readonly item?: TouchedItem | undefined;
  readonly status: number;
  /** `forced` if a fault or a preference of the request decided the response. */
  readonly verdict: 'accepted' | 'refused' | 'forced';
  readonly condition?: Condition | ConnectionFault | undefined;
  /** The behaviour or condition that decided a response that the document does not declare. */
  readonly undeclared?: string | undefined;
  /** The origin of the response, if it does not come from the state. */
  readonly sample?: SampleSource | undefined;
  /** The problem, or what decided the response, as a sentence. */
  readonly message?: string | undefined;
  readonly problems: readonly RequestProblem[];
  /** The id of the fault rule that applied. */
  readonly fault?: string | undefined;
  /** Set if a handler of the user made the response, or failed to. */
  readonly handler?: HandlerOutcome | undefined;
  /** The stack of the error that the handler threw. */
  readonly stack?: string | undefined;
  readonly request: LoggedMessage;
  readonly response: LoggedMessage;
  /** The request as a command line; `$CLOCHE_TOKEN` replaces credentials. */
  readonly curl: string;
}

/** A resource that a request was about. */
export interface TouchedItem {
  /** The concrete path of its collection, or of a singleton: `/shops/7/orders`. */
  readonly collection: string;
  /** Its id as in a path, decoded: `7`, `basil`; undefined for a singleton. */
  readonly key?: string;
}

/** The fields and the content of a request or a response. */
export interface LoggedMessage {
  /** The fields in the order they were sent; `***` replaces credentials. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The content as text; undefined if there is none, or if it is not UTF-8. */
  readonly body?: string | undefined;
  /** The length of the content in bytes; for content that was not read, the announced length. */
  readonly bytes: number;
  /** The reason the content is missing: not needed, larger than the limit, or too large for the log. */
  readonly missing?: 'not-read' | 'too-large' | 'not-kept' | undefined;
}

/**
 * The cause of an undeclared response: the policy behaviour, the condition if there is none, `forced`, a handler of the
 * user, or a recording.
 */
export type Undeclared = BehaviourId | Condition | ConnectionFault | 'forced' | 'handler' | 'recording';

/** The outcome of a handler of the user: it returned a response, or failed. */
type HandlerOutcome = 'answered' | 'failed';

/** The origin of a sample response: an example, generated, without content, or recorded. `Cloche-Sample` and the log show it. */
export type SampleSource = 'example' | 'generated' | 'empty' | 'recorded';

/** The maximum length of a clause; a longer one is cut, as an enum may have any number of values. */
const longestClause = 120;

/** Returns a value as one line of YAML, with quotes only if a text is not a plain word. */
function toFlow(value: JsonValue): string {
  if (typeof value === 'string') {
    return /^(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z_$][\w$-]*$/iu.test(value)
      ? value
      : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => toFlow(item)).join(', ')}]`;
  return isJsonObject(value) ? '{…}' : stringifyJson(value);
}

/** Quotes a JSON value in one line: `required: [id, name]`, `maxLength: 120`; only its name if it is absent. */
export function quoteClause(root: JsonValue, pointer: string): string {
  const name = pointerTokens(pointer).at(-1) ?? '';
  const value = resolvePointer(root, pointer);
  const text = value === undefined ? name : `${name}: ${toFlow(value)}`;
  return text.length > longestClause ? `${text.slice(0, longestClause - 1)}…` : text;
}

/** Returns the value of a policy behaviour as a clause that a request broke; without a value, the behaviour alone. */
export function policyClause(question: BehaviourId, answer?: JsonValue): BrokenClause {
  return {
    in: 'policy',
    pointer: `/answers/${question}`,
    text: answer === undefined ? question : quoteClause({ [question]: answer }, `/${question}`),
  };
}

/** Cuts a text that is too long for a sentence, or that may contain a secret. */
export function shorten(text: string): string {
  const longest = 60;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** How a response is delivered, if it is delayed or incomplete. */
export interface Delivery {
  /** The delay in milliseconds. */
  readonly delayMs: number;
  /**
   * What happens to the connection: `drop` closes it before a byte is written, `truncate` in the middle of the content.
   * Content-Length announces the whole content. A response without content is dropped.
   */
  readonly connection: 'keep' | 'drop' | 'truncate';
}

/** Facts about a response for the log. */
export interface AnswerNote {
  /** The id of the operation, if the request matched one. */
  readonly operation?: string;
  /** The reason the request was refused. */
  readonly condition?: Condition | ConnectionFault;
  /** Set if the document does not declare the response. */
  readonly undeclared?: Undeclared;
  /** Set if the response does not come from the state. */
  readonly sample?: SampleSource;
  /** The message of the error body. */
  readonly message?: string;
  /** Returns the problems in the request. */
  readonly problems?: () => readonly RequestProblem[];
  /** Set if a fault or a preference of the request decided the response. */
  readonly forced?: true;
  /** The lower-case names of fields that a fault rule sets; no other field replaces them. */
  readonly givenFields?: readonly string[];
  /** The id of the fault rule that applied. */
  readonly fault?: string;
  /** Set if a handler of the user made the response, or failed to. */
  readonly handler?: HandlerOutcome;
  /** The stack of the error that the handler threw. */
  readonly stack?: string;
}

/** A response that any transport can write. */
export interface MockResponse {
  /** 0 if the connection is dropped without a response. */
  readonly status: number;
  /** Names and values in turn. The transport adds Content-Length. */
  readonly headers: readonly string[];
  /** The content; undefined if there is none and none is allowed (RFC 9110 §6.4.1). */
  readonly body: string | Uint8Array | undefined;
  readonly note: AnswerNote;
  /** Set if it is delayed or incomplete; see {@link Delivery}. */
  readonly delivery?: Delivery | undefined;
  /** The content in parts, if a server sends it one event at a time. */
  readonly events?: EventStream | undefined;
  /** The content if it passes as it arrives from a real service; `body` is then undefined. */
  readonly passed?: PassedContent | undefined;
}

/** A stream of server-sent events (HTML §9.2). */
export interface EventStream extends StreamOptions {
  readonly texts: readonly string[];
}

/** The parts of a request that are known before its content arrives. */
export interface RequestHead {
  readonly method: string;
  /** The path and query, or a whole URL, as sent (RFC 9112 §3.2). */
  readonly target: string;
  /** The origin that the client called, `https://api.example.com`; undefined for http with the host in Host. */
  readonly origin?: string | undefined;
  /** Returns the value of a field by its lower-case name; several values are joined with a comma (RFC 9110 §5.3). */
  header(name: string): string | undefined;
  /** Returns names and values in turn, as sent. */
  fields(): readonly string[];
  /** Returns a signal that aborts if the client goes away; undefined if the transport needs whole responses. */
  signal?(): AbortSignal;
}

/** Creates the head of a request from its fields, names and values in turn. */
export function createHead(
  about: Pick<RequestHead, 'method' | 'target' | 'origin'>,
  fields: readonly string[],
): RequestHead {
  const values = new Map<string, string>();
  for (const [written, value] of toHeaderList(fields)) {
    const name = written.toLowerCase();
    const former = values.get(name);
    // Cookies are joined like Node joins them (RFC 9113 §8.2.3).
    values.set(name, former === undefined ? value : `${former}${name === 'cookie' ? '; ' : ', '}${value}`);
  }
  return { ...about, header: (name) => values.get(name), fields: () => fields };
}

/** Returns the origin that the client called: `http://127.0.0.1:4010`. */
export function originOf(head: RequestHead): string {
  return head.origin ?? `http://${head.header('host') ?? 'localhost'}`;
}

/** The content of a request: its bytes, none, or more than the policy allows. */
export type RequestContent = Uint8Array | undefined | 'too-large';

/** The way a request reached the mock. */
export type Reach =
  /** Without a network, from the process of the mock. */
  | 'in-process'
  /** Over an address that only programs on the same machine can reach. */
  | 'loopback'
  /** Over an address that other machines may be able to reach. */
  | 'network';

/** A handler of all requests under one path that are not the contract's: the control interface. */
export interface Mounted {
  /** `/__cloche`. Requests to it and to the paths below it do not belong to the contract. */
  readonly prefix: string;
  /** The maximum number of bytes of content that a request may have. */
  readonly contentLimit: number;
  /** Returns the refusal for a client without access, whose content is not read; undefined for any other. */
  refuse(request: { readonly head: RequestHead; readonly reach: Reach }): Promise<MockResponse | undefined>;
  /** Answers a request that `refuse` accepts. It is not logged and gets no CORS fields. */
  answer(request: {
    readonly head: RequestHead;
    readonly content: Uint8Array | 'too-large' | undefined;
    readonly reach: Reach;
  }): Promise<MockResponse>;
}

/** A real service that answers what the mock does not. */
export interface Fallback {
  /** Forwards a request. Returns the response of the service, or the reason there is none, with the name of the service. */
  readonly forward: (request: {
    readonly head: RequestHead;
    readonly bytes: Uint8Array | undefined;
  }) => Promise<MockResponse | string>;
  /** Closes the connections to the service. */
  readonly close: () => Promise<void>;
}

/** An injected fault, or a preference of the request. */
export interface InjectedFault {
  /** The response that replaces the whole handling, or undefined to handle the request. */
  readonly forced: MockResponse | undefined;
  /** Returns the response that replaces the effect of a valid request. */
  readonly preferred: (() => MaybePromise<MockResponse>) | undefined;
  readonly delivery: Delivery | undefined;
  /** Fields to add to every response, names and values in turn. */
  readonly headers: readonly string[];
  readonly fault: string | undefined;
  /** The message for the log if the response has none. */
  readonly message: string | undefined;
}

/** Applies an injected fault to a response. */
export function applyFault(answer: MockResponse, injectedFault: InjectedFault | undefined): MockResponse {
  if (injectedFault === undefined) return answer;
  const { delivery, headers, fault, message } = injectedFault;
  const { note, passed } = answer;
  const isBroken = passed !== undefined && delivery?.connection === 'truncate';
  return {
    ...answer,
    ...(isBroken && { passed: { ...passed, stream: breakOff(passed.stream) } }),
    headers: headers.length === 0 ? answer.headers : [...answer.headers, ...headers],
    note: {
      ...note,
      ...(fault === undefined ? {} : { fault }),
      ...(note.message !== undefined || message === undefined ? {} : { message }),
    },
    delivery: isBroken ? { ...delivery, connection: 'keep' } : delivery,
  };
}

const encoder = new TextEncoder();

/** Returns a response without its content, with its Content-Length (RFC 9110 §8.6). */
export function withoutContent(answer: MockResponse): MockResponse {
  const { body, headers } = answer;
  if (body === undefined) return answer;
  const length = typeof body === 'string' ? encoder.encode(body).length : body.length;
  return { ...answer, headers: [...headers, 'Content-Length', String(length)], body: undefined };
}

/** The message that the log shows for an accepted CORS preflight. */
export const preflightMessage = 'CORS preflight';

/** The snapshot of the resources that do not fit the contract and the policy. */
export const setAsideName = 'set-aside';

/** All parts of a mock that can be reset. */
export const resetParts = ['state', 'faults', 'requests', 'clock', 'policy', 'handlers'] as const;

/** A part of a mock that can be reset. */
export type ResetPart = (typeof resetParts)[number];
