import type { Contract, Operation, OperationKind, Resource } from '../contract/contract.ts';
import type { HeaderList } from '../http/message.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** A reason to reject a request. Error bodies, the log and the control interface contain it. */
export type Condition =
  | 'missing-credentials'
  | 'invalid-credentials'
  | 'insufficient-scope'
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
  | 'forbidden'
  | 'precondition-failed'
  | 'precondition-required'
  | 'idempotency-key-reused'
  | 'idempotency-key-in-flight'
  | 'not-empty'
  | 'unknown-path'
  | 'unknown-method'
  | 'too-many-requests';

/** The response to a request whose credentials are rejected. */
export interface RefusedCredentials {
  /** 300 to 499 */
  readonly status: number;
  /**
   * `error`: the error body that the document declares. `problem`: application/problem+json (RFC 9457). `other`: any
   * other body, like a framework's `{"error": "unauthorized"}` or an HTML page.
   */
  readonly body: 'error' | 'problem' | 'empty' | 'other';
}

/** An addition to an operation in a document that OpenAPI itself can express. */
export type Addition =
  /** Another response (OpenAPI 3.1 §4.8.17). It is omitted if its status is already declared. */
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly description: string;
      /** The content, unless a status range or `default` of the document specifies it. */
      readonly body: RefusedCredentials['body'];
      /** Header objects by name (OpenAPI 3.1 §4.8.21). */
      readonly headers?: JsonObject;
    }
  /** A schema that a JSON request body must match in addition to the declared one. */
  | { readonly kind: 'request-schema'; readonly schema: JsonObject }
  /** A schema that a JSON body of the declared success must match in addition to the declared one. */
  | { readonly kind: 'answer-schema'; readonly schema: JsonObject };

/** The additions to a document that specify a value. */
export interface Declaration<Answer> {
  readonly additions: readonly Addition[];
  /** The value that remains to be specified after these additions. */
  readonly answer: Answer;
}

/** One value for each behaviour. */
export interface BehaviourValues {
  readonly 'duplicate-key': 'refuse' | 'conflict' | 'unprocessable' | 'replace' | 'keep-first' | 'accept';
  readonly 'missing-credentials': RefusedCredentials;
  readonly 'invalid-credentials': RefusedCredentials;
  readonly 'accepted-tokens': 'any' | 'listed';
  readonly 'auth-order': 'before' | 'after';
  /** `status`: the HTTP status, which also applies to conditions that are not named. */
  readonly 'error-codes': 'status' | Readonly<Partial<Record<Condition, number>>>;
  readonly 'unsupported-media-type': 400 | 415 | 'read';
  /**
   * The maximum number of bytes, and the status for larger bodies, 400 to 499. `levels` is the maximum nesting depth of
   * arrays and objects, 512 if omitted.
   */
  readonly 'body-limit': { readonly bytes: number; readonly status: number; readonly levels?: number };
  /** A JSON Schema fragment for each property with further constraints. */
  readonly constraints: Readonly<Record<string, JsonObject>>;
  readonly 'unique-properties': readonly string[];
  readonly 'undeclared-properties': 'ignore' | 'refuse' | 'store';
  readonly 'int64-range': 'refuse' | 'accept';
  readonly 'integer-notation': 'yes' | 'no';
  readonly 'duplicate-keys-in-json': 'last' | 'first' | 'refuse';
  readonly echo: 'exact' | 'none';
  readonly 'response-extras': 'none' | 'id';
  readonly accept: 'ignore' | 406;
  /** The status for an undeclared method on a declared path (405 comes with Allow), and for an undeclared path. */
  readonly 'other-operations': { readonly method: number; readonly path: number };
  /** Requests beyond this number within one second get 429 with Retry-After. */
  readonly 'rate-limit': 'none' | { readonly perSecond: number };
  /** The rest concerns stored resources, and applies only to documents that have some. */
  readonly 'unknown-key-replaced': 'not-found' | 'create';
  readonly 'deleted-again': 'not-found' | 'success';
  readonly 'deleted-parent': 'cascade' | 'refuse' | 'keep';
  readonly 'read-only-sent': 'ignore' | 'refuse';
  /** For `application/json`. `application/merge-patch+json` defines it itself (RFC 7396). */
  readonly 'patch-notation': 'merge' | 'shallow-merge' | 'replace';
  /** `any`: an order that a client cannot rely on. */
  readonly 'list-order': 'creation' | 'newest-first' | 'key' | 'any';
  /** The number of items if the request has no limit. */
  readonly 'list-default-limit': 'none' | number;
  readonly 'limit-above-maximum': 'refuse' | 'clamp';
  readonly 'unknown-query-parameter': 'ignore' | 'refuse';
  /** For a query parameter with the name of a text property. */
  readonly 'filter-match': 'exact' | 'prefix' | 'part';
  /** The names of properties, at any depth. */
  readonly 'search-fields': 'all' | readonly string[];
  readonly 'unknown-cursor': 'refuse' | 'first-page' | 'empty';
  /** `create`: items can be created below a missing parent, and a list below it is empty. */
  readonly 'missing-parent': 'not-found' | 'empty-list' | 'create';
  readonly 'dangling-reference': 'accept' | 'refuse';
  readonly 'items-of-others': 'visible' | 'hidden' | 'forbidden';
}

/** The id of a behaviour that a document does not specify. Policy files, reports and the command line use it. */
export type BehaviourId = keyof BehaviourValues;

/** The reason why requests cannot show a value. */
export interface HiddenBy {
  readonly by: BehaviourId;
  /** A sentence without its full stop. */
  readonly why: string;
}

/** The placeholder of an id. Placeholders with the same slot get the same new id within a trial. */
export interface ProbeKey {
  readonly slot: number;
  /** An integer, in digits, that is added to a numeric id. @defaultValue '0' */
  readonly offset?: string;
}

/** A piece of a body: text, or the placeholder of an id. */
export type ProbePiece = string | ProbeKey;

/** A member of a JSON object. Its value consists of the pieces of its JSON text. */
export interface ProbeMember {
  readonly name: string;
  readonly value: readonly ProbePiece[];
}

/** Changes to a request that is known to be accepted, for a probe. */
export interface ProbeRequest {
  /** Undefined sends no body. @defaultValue that of `sample()` */
  readonly body?: readonly ProbePiece[] | undefined;
  /** Undefined sends no Content-Type. @defaultValue the declared one, if there is a body */
  readonly contentType?: string | undefined;
  readonly accept?: string;
  /** @defaultValue 'good' */
  readonly credentials?: 'good' | 'missing' | 'other-scheme' | 'unknown-token';
  /** @defaultValue that of the operation */
  readonly method?: string;
  /** Path and query below the base URL. @defaultValue that of the operation */
  readonly target?: string;
  /** Query members like `limit=5`, added to those of the operation or replacing them. */
  readonly query?: readonly string[];
}

/** An item that a probe created, and may change and delete, or a missing item beside one. */
export interface ProbeItem {
  readonly resource: Resource;
  /** The concrete path of its collection. */
  readonly collection: string;
  readonly id: JsonValue;
  /** The data that created it, without an envelope. */
  readonly body: JsonObject;
}

/** The actions of a probe on items. A probe changes only items that it created. */
export interface ProbeItems {
  /** Whether there are credentials of a second user, for requests with `user`. */
  readonly hasOtherUser: boolean;
  /** Returns the first operation with a role on a resource. */
  readonly operation: (resource: Resource, role: OperationKind['kind']) => Operation | undefined;
  /** Returns the path of an existing collection, and creates its parents. @throws Unanswered if that is impossible */
  readonly collection: (resource: Resource) => Promise<string>;
  /** Returns the path of a collection below an item that never existed. */
  readonly missingCollection: (resource: Resource) => Promise<string>;
  /** Creates an item below a parent that is created only for it. */
  readonly makeBelow: (
    resource: Resource,
  ) => Promise<{ readonly child: ProbeItem; readonly parent: ProbeItem }>;
  /** Creates an item, with its parents and the items it refers to. @throws Unanswered if the service rejects it */
  readonly make: (resource: Resource, below?: string) => Promise<ProbeItem>;
  /** Tries to create an item in a collection; `item` is undefined if the service rejected it. */
  readonly tryMake: (
    resource: Resource,
    options: { readonly below: string; readonly change?: (body: JsonObject) => JsonObject },
  ) => Promise<{ readonly exchange: ProbeExchange; readonly item: ProbeItem | undefined }>;
  /** Sends a request to an operation on an item or its collection; `body` goes into the envelope of the operation. */
  readonly send: (
    operation: Operation,
    place: Pick<ProbeItem, 'resource' | 'collection'> & { readonly id?: JsonValue },
    request?: { readonly body?: JsonObject; readonly query?: readonly string[]; readonly user?: 'other' },
  ) => Promise<ProbeExchange>;
  /** Returns an item as the service shows it; undefined if it is missing. @throws Unanswered if nothing shows it */
  readonly show: (item: ProbeItem) => Promise<JsonObject | undefined>;
  /** Returns a missing item beside another, as far as the service shows. @throws Unanswered if its id exists */
  readonly unknown: (item: ProbeItem) => Promise<ProbeItem>;
  /** Records an item that was created in another way. It is deleted in the end. */
  readonly note: (item: ProbeItem) => void;
}

/** A request of a probe and its response. */
export interface ProbeExchange {
  readonly status: number;
  /** Whether it is a success, 200 to 299. */
  readonly isAccepted: boolean;
  readonly headers: HeaderList;
  /** The media type without its parameters, in lower case. */
  readonly mediaType: string | undefined;
  /** The bodies, if they are JSON. */
  readonly sent: JsonValue | undefined;
  readonly received: JsonValue | undefined;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/** The interface through which a probe uses a service. */
export interface ProbeSession {
  readonly contract: Contract;
  readonly operation: Operation;
  /** The property of the body that contains the id, if the client sends it. */
  readonly key: { readonly property: string; readonly isNumber: boolean } | undefined;
  /** Returns an accepted body with texts never sent before; undefined if the operation accepts no JSON object. */
  readonly sample: (slot?: number) => readonly ProbeMember[] | undefined;
  /** Returns whether the schema of the operation accepts a body, formats included. */
  readonly isValid: (body: readonly ProbePiece[]) => boolean;
  /** Sends a request. Waits after 429 and 503 unless `waits` is false. @throws Unanswered if there is no response */
  readonly send: (request: ProbeRequest, options?: { readonly waits: boolean }) => Promise<ProbeExchange>;
  readonly items: ProbeItems;
  /** Returns the value that an earlier probe found for a behaviour, as in a policy file. */
  readonly settled: (id: BehaviourId) => JsonValue | undefined;
  /** Runs `find` only once, because it changes what it finds. Later trials get the first result. */
  readonly once: <T>(name: string, find: () => Promise<T>) => Promise<T>;
  /** The value of the policy, if a run checks it. Then a trial sends few requests. */
  readonly expected?: JsonValue | undefined;
  /** In milliseconds. */
  readonly clock: () => number;
  readonly rest: (ms: number) => Promise<void>;
}

/** The result of one trial of a probe. */
export type ProbeResult<Answer> =
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      /** Values that no request through this contract can distinguish from it. */
      readonly alike?: readonly Answer[];
      /** The observation, if the value alone does not describe it. */
      readonly seen?: string;
    }
  | ({ readonly kind: 'masked' } & HiddenBy)
  | { readonly kind: 'unsettled'; readonly why: string }
  | { readonly kind: 'not-asked'; readonly why: string };

/** The promised result of one trial for a behaviour. */
export type Probed<Id extends BehaviourId> = Promise<ProbeResult<BehaviourValues[Id]>>;

/** A probe that finds the value of a behaviour in a running service. */
export interface Probe<Answer> {
  /** The maximum number of requests that one trial sends. */
  readonly mostRequests: number;
  /** Whether it finds nothing if the service rejects plain requests. */
  readonly needsTaken: boolean;
  /** Whether the value is the same for the whole service. Then only one operation is probed. @defaultValue false */
  readonly isOfService?: boolean;
  /** Runs one trial. The caller repeats it, and compares the results. */
  readonly ask: (probeSession: ProbeSession) => Promise<ProbeResult<Answer>>;
}

/** The specification of a behaviour in a document, if there is any. */
export type DocumentValue<Answer> =
  | {
      readonly kind: 'open';
      /** The change to the document that would specify it, as a sentence without its full stop. */
      readonly settledBy: string;
      /** A related statement of the document that is not sufficient, as a sentence without its full stop. */
      readonly says?: string;
    }
  | {
      readonly kind: 'answered';
      readonly pointer: JsonPointer;
      /** The statement of the document, as a sentence without its full stop. */
      readonly says: string;
      /** The value, if one follows. */
      readonly answer?: Answer;
    }
  | { readonly kind: 'not-asked'; readonly why: string };

/** A behaviour that a document does not specify, with the values that an implementation may have. */
export type Behaviour<Id extends BehaviourId> = BehaviourWords<Id> & BehaviourInDocument<BehaviourValues[Id]>;

/** The part of a behaviour that reads its value from what OpenAPI itself can express in a document. */
type BehaviourInDocument<Answer> =
  | {
      /** Whether a value may follow. Then each operation must be read before the mock starts. */
      readonly isDecidedByOpenApi: true;
      readonly documentValue: (operation: Operation, contract: Contract) => DocumentValue<Answer>;
    }
  | {
      readonly isDecidedByOpenApi?: never;
      readonly documentValue: (operation: Operation, contract: Contract) => DocumentValue<never>;
    };

interface BehaviourWords<Id extends BehaviourId> {
  readonly id: Id;
  /** The behaviour as a question about an implementation. */
  readonly question: string;
  /** Whether it applies to each operation, or to the whole service. @defaultValue 'operation' */
  readonly scope?: 'operation' | 'service';
  /** Whether it concerns stored resources. It is not reported for operations without them. @defaultValue false */
  readonly isOfResources?: true;
  /** The value of the mock if none is configured. */
  readonly default: BehaviourValues[Id];
  /** A few typical values, the default first. The tests use each of them. */
  readonly representatives: readonly BehaviourValues[Id][];
  /** The JSON Schema (2020-12) of its values in a policy file, with descriptions. */
  readonly schema: JsonObject;
  /** Describes a value as a short phrase: `409 with an error body`. */
  readonly describe: (answer: BehaviourValues[Id]) => string;
  /** Statuses that specify the value when they are declared. No other behaviour can declare them for itself. */
  readonly statuses?: readonly number[];
  /** Expresses a value by OpenAPI's own means; undefined if OpenAPI cannot express any. */
  readonly declare?: (input: {
    readonly answer: BehaviourValues[Id];
    readonly operation: Operation;
    readonly contract: Contract;
  }) => Declaration<BehaviourValues[Id]>;
  readonly probe: Probe<BehaviourValues[Id]>;
  /** Returns the other value of a policy that hides this one from all requests; undefined if none does. */
  readonly hiddenBy?: (answers: GivenValues) => HiddenBy | undefined;
}

/** Values as in a policy file, by the ids of their behaviours. */
type GivenValues = Readonly<Partial<Record<BehaviourId, JsonValue>>>;

/** A value that is one word or number, its phrase, and its meaning as a sentence. */
type Choice<Answer> = readonly [answer: Answer, phrase: string, description: string];

/** The values of a behaviour that are one word or number. */
type OneOf<Id extends BehaviourId> = Extract<BehaviourValues[Id], number | string>;

/** Creates the common parts of a behaviour whose values are one word or number each, the default first. */
export function choices<Id extends BehaviourId>(
  all: readonly [Choice<OneOf<Id>>, ...(readonly Choice<OneOf<Id>>[])],
): {
  readonly default: OneOf<Id>;
  readonly representatives: readonly OneOf<Id>[];
  readonly schema: JsonObject;
  readonly describe: (answer: OneOf<Id>) => string;
} {
  return {
    default: all[0][0],
    representatives: all.map(([answer]) => answer),
    schema: { oneOf: all.map(([answer, , description]) => ({ const: answer, description })) },
    describe: (answer) => all.find(([each]) => each === answer)?.[1] ?? String(answer),
  };
}

/** Error that ends a trial without a conclusion: a request got no response, or no item could be created. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}
