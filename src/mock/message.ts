import type { TextLocation } from '../document/document.ts';
import { pointerTokens, resolvePointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { Condition, QuestionId } from '../policy/question.ts';

/** A value or a promise of it. The hot path avoids promises, which would cost more than the work. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value when it is there: now, or later. */
export function whenThere<T, U>(
  value: MaybePromise<T>,
  goOn: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then((later) => goOn(later)) : goOn(value);
}

/** Tries items one after another, and gives the first result that is defined. */
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

/** Makes something of each item: now, or later if any of it comes later. */
export function eachThere<T, U>(
  items: readonly T[],
  make: (item: T) => MaybePromise<U>,
): MaybePromise<readonly U[]> {
  const made = items.map(make);
  // `as`: none of it is a promise.
  return made.some((one) => one instanceof Promise) ? Promise.all(made) : (made as U[]);
}

/**
 * A reason for which the steps of an answer cannot be taken: what came is no request, comes to no end, the store is away,
 * the document does not say how to answer, or the mock itself is wrong. The header `Cloche-Undeclared` and the log name it.
 */
export type ConnectionFault =
  | 'not-http'
  | 'invalid-host'
  | 'request-timeout'
  | 'header-fields-too-large'
  | 'chunk-extensions-too-large'
  | 'store-unavailable'
  | 'internal-error'
  /** The operation has a schema that cannot be compiled, or that no value was found for. */
  | 'not-mocked';

/** A part of a request that speaks against it. */
export interface RequestProblem {
  /** A JSON Pointer into the body (RFC 6901); undefined where it lies elsewhere. */
  readonly pointer?: string | undefined;
  readonly parameter?:
    | { readonly in: 'path' | 'query' | 'header' | 'cookie'; readonly name: string }
    | undefined;
  /** Where a body that is no JSON breaks, in characters from 0. */
  readonly position?: number | undefined;
  readonly reason: string;
  readonly clause?: BrokenClause | undefined;
}

/** What the document or the policy says. */
export interface BrokenClause {
  readonly in: 'document' | 'policy';
  /** A JSON Pointer into the one or the other. */
  readonly pointer: string;
  /** What stands there: `required: [id, name]`. */
  readonly text: string;
  /** Where in the text of the document that is; a list of requests leaves it out. */
  readonly location?: TextLocation | undefined;
}

/** A request that the mock answered. No credentials are in it. */
export interface LoggedRequest {
  /** 1 for the first that was answered since the mock started; none comes again. */
  readonly id: number;
  /** When it had come, by the clock of the mock, in milliseconds since 1970. */
  readonly time: number;
  /** From its head to the answer, in milliseconds, a delay of a fault included, which may not be over yet. */
  readonly durationMs: number;
  readonly method: string;
  /** As it was sent: path and query. */
  readonly target: string;
  /** The id of the operation, where it led to one. */
  readonly operation?: string | undefined;
  /** What it read, created or changed, or tried to; undefined where that is no single item. */
  readonly item?: TouchedItem | undefined;
  readonly status: number;
  /** `forced` where a fault or a preference of the request decided the answer. */
  readonly verdict: 'accepted' | 'refused' | 'forced';
  readonly condition?: Condition | ConnectionFault | undefined;
  /** What decided an answer that the document does not declare. */
  readonly undeclared?: string | undefined;
  /** Where the answer comes from, where no state does. */
  readonly sample?: SampleSource | undefined;
  /** What was wrong, or what decided the answer, as a sentence. */
  readonly message?: string | undefined;
  readonly problems: readonly RequestProblem[];
  /** The id of the rule that made it go wrong. */
  readonly fault?: string | undefined;
  readonly request: LoggedMessage;
  readonly response: LoggedMessage;
  /** The request again, as a command line; `$CLOCHE_TOKEN` stands for credentials. */
  readonly curl: string;
}

/** A resource that a request was about. */
export interface TouchedItem {
  /** The concrete path of its collection, or of a singleton: `/shops/7/orders`. */
  readonly collection: string;
  /** As a path has it, decoded: `7`, `basil`; undefined for a singleton. */
  readonly key?: string;
}

/** The fields and the content of a request or a response. */
export interface LoggedMessage {
  /** In order, as they were sent; `***` stands for credentials. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The content as text; undefined where there is none, or it is no UTF-8. */
  readonly body?: string | undefined;
  /** How many bytes the content has; of what was not read, how many were announced. */
  readonly bytes: number;
  /** Why the content is missing: it was not needed, is larger than the limit, or does not fit into the log. */
  readonly missing?: 'not-read' | 'too-large' | 'not-kept' | undefined;
}

/** What decided an undeclared response: the policy question, the condition if there is no question, or `forced`. */
export type Undeclared = QuestionId | Condition | ConnectionFault | 'forced';

/** The origin of a sample response: an example, generated, or without content. `Cloche-Sample` and the log show it. */
export type SampleSource = 'example' | 'generated' | 'empty';

/** A clause that is longer is cut: an enum may have any number of values. */
const longestClause = 120;

/** As YAML writes it in one line, where quotes are only needed round what is no plain word. */
function toFlow(value: JsonValue): string {
  if (typeof value === 'string') {
    return /^(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z_$][\w$-]*$/iu.test(value)
      ? value
      : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => toFlow(item)).join(', ')}]`;
  return isJsonObject(value) ? '{…}' : stringifyJson(value);
}

/** Quotes a place of a JSON document in one line: `required: [id, name]`, `maxLength: 120`; only the name if it is absent. */
export function quoteClause(root: JsonValue, pointer: string): string {
  const name = pointerTokens(pointer).at(-1) ?? '';
  const value = resolvePointer(root, pointer);
  const text = value === undefined ? name : `${name}: ${toFlow(value)}`;
  return text.length > longestClause ? `${text.slice(0, longestClause - 1)}…` : text;
}

/** What a policy says to a question, as a clause that a request broke; without an answer, the question alone. */
export function policyClause(question: QuestionId, answer?: JsonValue): BrokenClause {
  return {
    in: 'policy',
    pointer: `/answers/${question}`,
    text: answer === undefined ? question : quoteClause({ [question]: answer }, `/${question}`),
  };
}

/** Cuts a text that is too long to be read in a sentence, or that may be someone's secret. */
export function shorten(text: string): string {
  const longest = 60;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** How an answer reaches its client, where that is not at once and whole. */
export interface Delivery {
  /** How long it is held back, in milliseconds. */
  readonly delayMs: number;
  /**
   * What becomes of the connection: `drop` ends it before a byte is written, `truncate` in the middle of the
   * content, whose Content-Length says all of it. An answer without content is dropped whole.
   */
  readonly connection: 'keep' | 'drop' | 'truncate';
}

/** What an answer is about; the log shows it. */
export interface AnswerNote {
  /** The id of the operation, where the request led to one. */
  readonly operation?: string;
  /** Why the request was refused. */
  readonly condition?: Condition | ConnectionFault;
  /** Set where the document does not declare the answer. */
  readonly undeclared?: Undeclared;
  /** Set where no state gives the answer. */
  readonly sample?: SampleSource;
  /** What the error body says. */
  readonly message?: string;
  /** What of the request speaks against it, made when it is asked for. */
  readonly problems?: () => readonly RequestProblem[];
  /** Set where a fault or a preference of the request decided the answer. */
  readonly forced?: true;
  /** The names in lower case of fields that a rule gives, which nothing takes the place of. */
  readonly givenFields?: readonly string[];
  /** The id of the rule that made the request go wrong. */
  readonly fault?: string;
}

/** An answer, ready to be written by any transport. */
export interface MockResponse {
  /** 0 where the connection is dropped, so that there is no answer. */
  readonly status: number;
  /** Names and values in turn. Content-Length is left to the transport. */
  readonly headers: readonly string[];
  /** The content; undefined where there is none and may be none (RFC 9110 §6.4.1). */
  readonly body: string | Uint8Array | undefined;
  readonly note: AnswerNote;
  /** Set where it is to come late, or not whole; see {@link Delivery}. */
  readonly delivery?: Delivery | undefined;
}

/** What of a request is known before its content has come. */
export interface RequestHead {
  readonly method: string;
  /** As it was sent: path and query, or a whole URL (RFC 9112 §3.2). */
  readonly target: string;
  /** Where its client asks, `https://api.example.com`; undefined where that is http and what Host says. */
  readonly origin?: string | undefined;
  /** The value of a field, named in lower case; several of one name are joined with a comma (RFC 9110 §5.3). */
  header(name: string): string | undefined;
  /** Names and values in turn, as they were sent, for who keeps them; made when asked for. */
  fields(): readonly string[];
}

/** Where the client of a request asks: `http://127.0.0.1:4010`. */
export function originOf(head: RequestHead): string {
  return head.origin ?? `http://${head.header('host') ?? 'localhost'}`;
}

/** The content of a request: its bytes, none, or more than the policy allows. */
export type RequestContent = Uint8Array | undefined | 'too-large';

/** How a request came to the mock. */
export type Reach =
  /** Without a network, from the process that the mock lives in. */
  | 'in-process'
  /** Over an address that only programs on the same machine reach. */
  | 'loopback'
  /** Over an address that other machines may reach. */
  | 'network';

/** What answers the requests under one path instead of the contract: the control interface. */
export interface Mounted {
  /** `/__cloche`. Requests to it and to whatever lies below it are not the contract's. */
  readonly prefix: string;
  /** The most bytes of content that a request may have. */
  readonly contentLimit: number;
  /** The answer to who may not ask here at all, so that no content of theirs is read; undefined for all others. */
  refuse(request: { readonly head: RequestHead; readonly reach: Reach }): Promise<MockResponse | undefined>;
  /** Answers a request, if it is none to refuse. It is not logged and gets no CORS. */
  answer(request: {
    readonly head: RequestHead;
    readonly content: Uint8Array | 'too-large' | undefined;
    readonly reach: Reach;
  }): Promise<MockResponse>;
}

/** What comes between a request and the answer that it would get. */
export interface Interference {
  /** The answer in place of every step, or undefined where the steps are taken. */
  readonly forced: MockResponse | undefined;
  /** The answer in place of what a valid request does. */
  readonly preferred: (() => MaybePromise<MockResponse>) | undefined;
  readonly delivery: Delivery | undefined;
  /** Fields of every answer, names and values in turn. */
  readonly headers: readonly string[];
  readonly fault: string | undefined;
  /** What the log says where the answer says nothing. */
  readonly message: string | undefined;
}

/** The answer that a request gets in the end. */
export function interfereWith(answer: MockResponse, interference: Interference | undefined): MockResponse {
  if (interference === undefined) return answer;
  const { delivery, headers, fault, message } = interference;
  const { note } = answer;
  return {
    ...answer,
    headers: headers.length === 0 ? answer.headers : [...answer.headers, ...headers],
    note: {
      ...note,
      ...(fault === undefined ? {} : { fault }),
      ...(note.message !== undefined || message === undefined ? {} : { message }),
    },
    delivery,
  };
}

const encoder = new TextEncoder();

/** The fields of an answer alone, its length among them (RFC 9110 §8.6). */
export function withoutContent(answer: MockResponse): MockResponse {
  const { body, headers } = answer;
  if (body === undefined) return answer;
  const length = typeof body === 'string' ? encoder.encode(body).length : body.length;
  return { ...answer, headers: [...headers, 'Content-Length', String(length)], body: undefined };
}

/** What the log says of a preflight of CORS that lets a page in. */
export const preflightMessage = 'CORS preflight';

/** The snapshot that holds what does not fit the contract and the policy. */
export const setAsideName = 'set-aside';

/** A part of a mock that can be brought back to how it was at the start. */
export type ResetPart = 'state' | 'faults' | 'requests' | 'clock' | 'policy';

/** All parts of a mock that can be brought back. */
export const resetParts: readonly ResetPart[] = ['state', 'faults', 'requests', 'clock', 'policy'];
