import type { Contract, Operation, OperationKind, Resource } from '../contract/contract.ts';
import type { HeaderList } from '../http/message.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** A reason for which a request is refused; error bodies, the log and the control interface name it. */
export type Condition =
  | 'missing-credentials'
  | 'invalid-credentials'
  | 'malformed-body'
  | 'missing-body'
  | 'invalid-body'
  | 'invalid-parameter'
  | 'unsupported-media-type'
  | 'body-too-large'
  | 'duplicate-key'
  | 'duplicate-value'
  | 'not-acceptable'
  | 'not-found'
  | 'precondition-failed'
  | 'precondition-required'
  | 'not-empty'
  | 'unknown-path'
  | 'unknown-method'
  | 'too-many-requests';

/** The answer to a request whose credentials are not let in. */
export interface RefusedCredentials {
  /** 300 to 499 */
  readonly status: number;
  /**
   * `error`: the error body that the document declares; `problem`: application/problem+json (RFC 9457); `other`: a body
   * that is neither, as a framework's own `{"error": "unauthorized"}` or a page of HTML.
   */
  readonly body: 'error' | 'problem' | 'empty' | 'other';
}

/** Something that a document can be made to say of an operation by OpenAPI's own means. */
export type Addition =
  /** Another response (OpenAPI 3.1 §4.8.17); left out where its status is declared already. */
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly description: string;
      /** What it holds, unless a range or `default` of the document says so. */
      readonly body: RefusedCredentials['body'];
      /** Header objects by name (OpenAPI 3.1 §4.8.21). */
      readonly headers?: JsonObject;
    }
  /** A schema that a JSON body must meet besides its own. */
  | { readonly kind: 'request-schema'; readonly schema: JsonObject }
  /** A schema that a JSON body of the success that is declared must meet besides its own. */
  | { readonly kind: 'answer-schema'; readonly schema: JsonObject };

/** How a document comes to give an answer. */
export interface Declaration<Answer> {
  readonly additions: readonly Addition[];
  /** What is left to be answered once it says that. */
  readonly answer: Answer;
}

/** One answer to each question. */
export interface Answers {
  readonly 'duplicate-key': 'refuse' | 'conflict' | 'unprocessable' | 'replace' | 'keep-first' | 'accept';
  readonly 'missing-credentials': RefusedCredentials;
  readonly 'invalid-credentials': RefusedCredentials;
  readonly 'accepted-tokens': 'any' | 'listed';
  readonly 'auth-order': 'before' | 'after';
  /** `status`: the HTTP status, which also stands for the conditions that are not named. */
  readonly 'error-codes': 'status' | Readonly<Partial<Record<Condition, number>>>;
  readonly 'unsupported-media-type': 400 | 415 | 'read';
  /**
   * The most bytes that are read, and the status past them, 400 to 499; and how many arrays and objects may stand in each
   * other, 512 where it is left out.
   */
  readonly 'body-limit': { readonly bytes: number; readonly status: number; readonly levels?: number };
  /** A JSON Schema fragment for each property that is bounded further. */
  readonly constraints: Readonly<Record<string, JsonObject>>;
  readonly 'unique-properties': readonly string[];
  readonly 'undeclared-properties': 'ignore' | 'refuse' | 'store';
  readonly 'int64-range': 'refuse' | 'accept';
  readonly 'integer-notation': 'yes' | 'no';
  readonly 'duplicate-keys-in-json': 'last' | 'first' | 'refuse';
  readonly echo: 'exact' | 'none';
  readonly 'response-extras': 'none' | 'id';
  readonly accept: 'ignore' | 406;
  /** The status of another method on a declared path (405 comes with Allow), and that of another path. */
  readonly 'other-operations': { readonly method: number; readonly path: number };
  /** Past so many requests within one second: 429 with Retry-After. */
  readonly 'rate-limit': 'none' | { readonly perSecond: number };
  /** The rest is about resources that are kept, and is asked of documents that have some. */
  readonly 'unknown-key-replaced': 'not-found' | 'create';
  readonly 'deleted-again': 'not-found' | 'success';
  readonly 'deleted-parent': 'cascade' | 'refuse' | 'keep';
  readonly 'read-only-sent': 'ignore' | 'refuse';
  /** Of `application/json`; `application/merge-patch+json` says it itself (RFC 7396). */
  readonly 'patch-notation': 'merge' | 'shallow-merge' | 'replace';
  /** `any`: in no order that a client could count on. */
  readonly 'list-order': 'creation' | 'newest-first' | 'key' | 'any';
  /** So many items where the request gives no limit. */
  readonly 'list-default-limit': 'none' | number;
  readonly 'limit-above-maximum': 'refuse' | 'clamp';
  readonly 'unknown-query-parameter': 'ignore' | 'refuse';
  /** `create`: items can be created below a parent that is not there, and a list below it is empty. */
  readonly 'missing-parent': 'not-found' | 'empty-list' | 'create';
  readonly 'dangling-reference': 'accept' | 'refuse';
}

/** The id of a matter that a document does not specify; it stands in policy files, reports and on the command line. */
export type QuestionId = keyof Answers;

/** Why an answer does not show. */
export interface HiddenBy {
  readonly by: QuestionId;
  /** A sentence without its full stop. */
  readonly why: string;
}

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

/** A request of a probe: one that is known to be accepted, but for what is given here. */
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
  /** The path in the place of that with plain parameters; the query stays. */
  readonly path?: string;
  /** What If-Match is (RFC 9110 §13.1.1), where the operation declares it. */
  readonly ifMatch?: string;
  /** Members of a query, `limit=5`, besides those of the operation or in their place. */
  readonly query?: readonly string[];
}

/** An item that a probe made, so that it may change and delete it, or one beside it that is not there. */
export interface ProbeItem {
  readonly resource: Resource;
  /** The concrete path of its collection. */
  readonly collection: string;
  readonly id: JsonValue;
  /** What it was made of, without an envelope. */
  readonly body: JsonObject;
}

/** What a probe does with items: with those that it made, and so with nobody's. */
export interface ProbeItems {
  /** The first operation that has a role on a resource. */
  readonly operation: (resource: Resource, role: OperationKind['kind']) => Operation | undefined;
  /** The concrete path of a collection that is there; what is above it is made. @throws Unanswered where that cannot be */
  readonly collection: (resource: Resource) => Promise<string>;
  /** The same below an item that was never there. */
  readonly missingCollection: (resource: Resource) => Promise<string>;
  /** Makes an item below one that was made for it alone. */
  readonly makeBelow: (
    resource: Resource,
  ) => Promise<{ readonly child: ProbeItem; readonly parent: ProbeItem }>;
  /** Makes an item, with what is above it and what it refers to. @throws Unanswered where the service takes none */
  readonly make: (resource: Resource, below?: string) => Promise<ProbeItem>;
  /** Tries to make an item in a collection; `item` is undefined where it was refused. */
  readonly tryMake: (
    resource: Resource,
    options: { readonly below: string; readonly change?: (body: JsonObject) => JsonObject },
  ) => Promise<{ readonly exchange: ProbeExchange; readonly item: ProbeItem | undefined }>;
  /** Sends a request to an operation on an item, or on its collection; `body` goes into the envelope of the operation. */
  readonly send: (
    operation: Operation,
    place: Pick<ProbeItem, 'resource' | 'collection'> & { readonly id?: JsonValue },
    request?: { readonly body?: JsonObject; readonly query?: readonly string[] },
  ) => Promise<ProbeExchange>;
  /** What the service shows of an item; undefined where it is not there. @throws Unanswered where nothing shows it */
  readonly show: (item: ProbeItem) => Promise<JsonObject | undefined>;
  /** An item beside another that is not there, as far as the service shows. @throws Unanswered where it is all the same */
  readonly unknown: (item: ProbeItem) => Promise<ProbeItem>;
  /** Takes note of an item that was made otherwise, so that it is deleted in the end. */
  readonly note: (item: ProbeItem) => void;
}

/** What a request of a probe was answered. */
export interface ProbeExchange {
  readonly status: number;
  /** Whether it is a success, 200 to 299. */
  readonly isAccepted: boolean;
  readonly headers: HeaderList;
  /** The media type without its parameters, in lower case. */
  readonly mediaType: string | undefined;
  /** The bodies, where they are JSON. */
  readonly sent: JsonValue | undefined;
  readonly received: JsonValue | undefined;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/** What a probe asks a service with. */
export interface ProbeSession {
  readonly contract: Contract;
  readonly operation: Operation;
  /** The property of the body that holds the key, where the client sends it. */
  readonly key: { readonly property: string; readonly isNumber: boolean } | undefined;
  /** The members of a body that is known to be accepted, with texts that were never sent before; undefined where the operation takes no JSON object. */
  readonly sample: (slot?: number) => readonly ProbeMember[] | undefined;
  /** Whether the schema of the operation takes a body, formats included. */
  readonly isValid: (body: readonly ProbePiece[]) => boolean;
  /** Sends a request; 429 and 503 are waited for unless `waits` is false. @throws Unanswered where no answer came */
  readonly send: (request: ProbeRequest, options?: { readonly waits: boolean }) => Promise<ProbeExchange>;
  readonly items: ProbeItems;
  /** What was settled of the questions that were asked before, as it stands in a policy file. */
  readonly settled: (id: QuestionId) => JsonValue | undefined;
  /** Finds out what cannot be asked again, as asking changes the answer; later trials get what the first one found. */
  readonly once: <T>(name: string, find: () => Promise<T>) => Promise<T>;
  /** In milliseconds. */
  readonly clock: () => number;
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
  | ({ readonly kind: 'masked' } & HiddenBy)
  | { readonly kind: 'unsettled'; readonly why: string }
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
  readonly ask: (probeSession: ProbeSession) => Promise<ProbeReading<Answer>>;
}

/** What a document has to say to a question. */
export type DocumentAnswer<Answer> =
  | {
      readonly kind: 'open';
      /** Where the document would have to speak, as a sentence without its full stop. */
      readonly settledBy: string;
      /** What it says that is not enough, as a sentence without its full stop. */
      readonly says?: string;
    }
  | {
      readonly kind: 'answered';
      readonly pointer: JsonPointer;
      /** What it says, as a sentence without its full stop. */
      readonly says: string;
      /** The answer, where one follows. */
      readonly answer?: Answer;
    }
  | { readonly kind: 'not-asked'; readonly why: string };

/** A matter that a document does not specify, with the answers that an implementation may give. */
export type Question<Id extends QuestionId> = QuestionOfAll<Id> & QuestionToDocument<Answers[Id]>;

/** What a document says of an operation by OpenAPI's own means, and what it does not. */
type QuestionToDocument<Answer> =
  | {
      /** Whether an answer may follow, so that each operation has to be looked at before the mock starts. */
      readonly isAnsweredByOpenApi: true;
      readonly documentAnswer: (operation: Operation, contract: Contract) => DocumentAnswer<Answer>;
    }
  | {
      readonly isAnsweredByOpenApi?: never;
      readonly documentAnswer: (operation: Operation, contract: Contract) => DocumentAnswer<never>;
    };

interface QuestionOfAll<Id extends QuestionId> {
  readonly id: Id;
  /** In words, as one would ask it of an implementation. */
  readonly question: string;
  /** Whether it is one of each operation, or of the whole service. @defaultValue 'operation' */
  readonly scope?: 'operation' | 'service';
  /** Whether it is about resources that are kept: of an operation that it has nothing to do with, nothing is said. @defaultValue false */
  readonly isOfResources?: true;
  /** How the mock answers where nobody says otherwise. */
  readonly default: Answers[Id];
  /** A few answers that stand for all, the default first; the tests go through them. */
  readonly representatives: readonly Answers[Id][];
  /** The JSON Schema (2020-12) of its answers, with descriptions: what may stand in a policy file. */
  readonly schema: JsonObject;
  /** An answer as a short phrase: `409 with an error body`. */
  readonly describe: (answer: Answers[Id]) => string;
  /** Statuses that answer it as soon as they are declared, so that no other question can declare them for its own. */
  readonly statuses?: readonly number[];
  /** Says by OpenAPI's own means what an answer means; undefined where OpenAPI has no words for any. */
  readonly declare?: (input: {
    readonly answer: Answers[Id];
    readonly operation: Operation;
    readonly contract: Contract;
  }) => Declaration<Answers[Id]>;
  readonly probe: Probe<Answers[Id]>;
  /** Which other answer of a policy hides the answer to this, so that nothing sent would show it; undefined where it always shows. */
  readonly hiddenBy?: (answers: GivenAnswers) => HiddenBy | undefined;
}

/** Answers as they stand in a policy file, by their questions. */
type GivenAnswers = Readonly<Partial<Record<QuestionId, JsonValue>>>;

/** An answer that is one word or number, its phrase, and what it means as a sentence. */
type Choice<Answer> = readonly [answer: Answer, phrase: string, description: string];

/** The words of a question whose answers are one word or number each, the default first. */
export function choices<Answer extends number | string>(
  all: readonly [Choice<Answer>, ...(readonly Choice<Answer>[])],
): {
  readonly default: Answer;
  readonly representatives: readonly Answer[];
  readonly schema: JsonObject;
  readonly describe: (answer: Answer) => string;
} {
  return {
    default: all[0][0],
    representatives: all.map(([answer]) => answer),
    schema: { oneOf: all.map(([answer, , description]) => ({ const: answer, description })) },
    describe: (answer) => all.find(([each]) => each === answer)?.[1] ?? String(answer),
  };
}

/** A trial that cannot go on, as no answer came to a request or no item could be made: nothing can be concluded from it. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}
