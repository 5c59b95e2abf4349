import type { TextLocation } from '../../document/document.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { SentCallback } from '../callbacks/callback.ts';
import type { ActiveFaultRule, FaultRule } from '../faults/fault.ts';
import type { RequestFilter, Times, Verification } from '../log/filter.ts';
import type { LoggedRequest, ResetPart } from '../message.ts';
import type {
  BadRow,
  Imported,
  StateCollection,
  StatePage,
  StateResource,
  StateRows,
} from '../state/rows.ts';
import type { CollectionCount, StoreLocation } from '../store/store.ts';

/**
 * The method and the path of each operation of the control interface, by its id, in the order of the document. The mock,
 * its OpenAPI document, the commands and the inspector derive from it and from {@link ControlCalls}.
 */
export const controlLines = {
  getDocument: 'GET /openapi.json',
  getService: 'GET /service',
  getMockedDocument: 'GET /document',
  getOperation: 'GET /operations/{id}',
  listTokens: 'GET /tokens',
  getState: 'GET /state',
  listResources: 'GET /state/resources',
  putResource: 'PUT /state/resources',
  getResource: 'GET /state/resource',
  deleteResource: 'DELETE /state/resource',
  exportState: 'GET /state/export',
  importState: 'POST /state/import',
  listSnapshots: 'GET /snapshots',
  putSnapshot: 'PUT /snapshots/{name}',
  deleteSnapshot: 'DELETE /snapshots/{name}',
  restoreSnapshot: 'POST /snapshots/{name}/restore',
  reset: 'POST /reset',
  getPolicy: 'GET /policy',
  patchPolicy: 'PATCH /policy',
  deletePolicy: 'DELETE /policy',
  listFaults: 'GET /faults',
  createFault: 'POST /faults',
  clearFaults: 'DELETE /faults',
  putFault: 'PUT /faults/{id}',
  deleteFault: 'DELETE /faults/{id}',
  listRequests: 'GET /requests',
  clearRequests: 'DELETE /requests',
  verifyRequests: 'POST /requests/verify',
  getRequest: 'GET /requests/{id}',
  listCallbacks: 'GET /callbacks',
  sendWebhook: 'POST /webhooks/{name}',
  getClock: 'GET /clock',
  putClock: 'PUT /clock',
  advanceClock: 'POST /clock/advance',
} as const;

/** The id of an operation of the control interface. */
export type ControlOperationId = keyof typeof controlLines;

/** The JSON of a response, the body of a request and its parameters. */
interface Call<Shown = undefined, Body = undefined, Parameters = object> {
  readonly shown: Shown;
  readonly body: Body;
  readonly parameters: Parameters;
}

/** Parameters that may be left out, or be undefined. */
type Optional<Parameters> = { readonly [Name in keyof Parameters]?: Parameters[Name] | undefined };
interface InCollection {
  readonly collection: string;
}

/** The id is absent for a singleton. */
type OfResource = InCollection & Optional<{ key: string }>;
type Filters = Optional<Omit<RequestFilter, 'body' | 'headers'>>;

/** The types of each operation, by its id. */
interface ControlCalls {
  getDocument: Call<object>;
  getService: Call<Service>;
  getMockedDocument: Call<object>;
  getOperation: Call<RequestForm, undefined, { readonly id: string }>;
  listTokens: Call<{ readonly tokens: readonly ShownToken[] }>;
  getState: Call<{ readonly collections: readonly StateCollection[] }>;
  listResources: Call<
    StatePage,
    undefined,
    InCollection & Optional<{ search: string; offset: number; limit: number }>
  >;
  putResource: Call<StateResource, JsonValue, InCollection>;
  getResource: Call<StateResource, undefined, OfResource>;
  deleteResource: Call<undefined, undefined, OfResource>;
  exportState: Call<StateRows>;
  importState: Call<Imported, JsonValue, { readonly mode?: 'replace' | 'merge' }>;
  listSnapshots: Call<{ readonly snapshots: readonly CollectionCount[] }>;
  putSnapshot: Call<undefined, undefined, { readonly name: string }>;
  deleteSnapshot: Call<undefined, undefined, { readonly name: string }>;
  restoreSnapshot: Call<undefined, undefined, { readonly name: string }>;
  reset: Call<undefined, { readonly parts?: readonly ResetPart[] } | undefined>;
  getPolicy: Call<ShownPolicy>;
  patchPolicy: Call<ShownPolicy, ShownPolicyChange>;
  deletePolicy: Call;
  listFaults: Call<{ readonly faults: readonly ActiveFaultRule[] }>;
  createFault: Call<ActiveFaultRule, FaultRule>;
  clearFaults: Call;
  putFault: Call<ActiveFaultRule, FaultRule, { readonly id: string }>;
  deleteFault: Call<undefined, undefined, { readonly id: string }>;
  listRequests: Call<
    RequestPage,
    undefined,
    Filters & Optional<{ limit: number; wait: number; times: number }>
  >;
  clearRequests: Call;
  verifyRequests: Call<Verification, { readonly filter: RequestFilter; readonly times?: Times }>;
  getRequest: Call<LoggedRequest, undefined, { readonly id: string }>;
  listCallbacks: Call<{ readonly callbacks: readonly SentCallback[] }>;
  sendWebhook: Call<
    SentCallback,
    { readonly url: string; readonly body?: JsonValue },
    { readonly name: string }
  >;
  getClock: Call<ShownClock>;
  putClock: Call<ShownClock, { readonly now?: string; readonly frozen?: boolean }>;
  advanceClock: Call<ShownClock, { readonly ms: number }>;
}

/** The parameters of an operation, by name. */
export type ParametersOf<Id extends ControlOperationId> = ControlCalls[Id]['parameters'];
/** The body of a request of an operation; undefined if it has none. */
export type BodyOf<Id extends ControlOperationId> = ControlCalls[Id]['body'];
/** The JSON of a response of an operation; undefined if it has none. */
export type ShownOf<Id extends ControlOperationId> = ControlCalls[Id]['shown'];

/** The arguments of a client's call: the parameters, and the body of an operation that has one. */
export type GivenOf<Id extends ControlOperationId> =
  BodyOf<Id> extends undefined
    ? object extends ParametersOf<Id>
      ? readonly [parameters?: ParametersOf<Id>]
      : readonly [parameters: ParametersOf<Id>]
    : readonly [parameters: ParametersOf<Id>, body: BodyOf<Id>];

/** Returns the method and the path template of an operation. */
export function splitControlLine(id: ControlOperationId): readonly [method: string, path: string] {
  const [method = '', path = ''] = controlLines[id].split(' ');
  return [method, path];
}

/** Returns the method and the target of a request, below the prefix: `/state/resource?collection=%2Forders&key=7`. */
export function toControlTarget<Id extends ControlOperationId>(
  id: Id,
  parameters: ParametersOf<Id>,
): { readonly method: string; readonly target: string } {
  const [method, template] = splitControlLine(id);
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const members = given.map(([name, value]) => [name, encodeURIComponent(String(value))] as const);
  const path = members.reduce((filled, [name, value]) => filled.replace(`{${name}}`, () => value), template);
  const query = members.filter(([name]) => !template.includes(`{${name}}`)).map((pair) => pair.join('='));
  return { method, target: query.length === 0 ? path : `${path}?${query.join('&')}` };
}

/** Reads the body of a refusal: its sentence, undefined if it has none, and the rows of data that are invalid. */
export function readControlError(value: JsonValue | undefined): {
  readonly code: JsonValue | undefined;
  readonly message: string | undefined;
  readonly rows: readonly BadRow[];
} {
  const { code, message, rows } = isJsonObject(value) ? value : {};
  return {
    code,
    message: typeof message === 'string' ? message : undefined,
    // `as`: the document of the control interface declares the rows.
    rows: Array.isArray(rows) ? (rows as unknown as readonly BadRow[]) : [],
  };
}

/** A resource of the mocked document. */
export interface ServiceResource {
  readonly kind: 'collection' | 'singleton';
  /** The template of its path: `/shops/{shop}/orders`. */
  readonly collection: string;
  /** The template of the collection whose items hold it. */
  readonly parent?: string | undefined;
  /** The property that holds its id. */
  readonly key?: string | undefined;
  /** The properties that hold ids of other resources, with the template of their collection. */
  readonly relations: readonly { readonly property: string; readonly collection: string }[];
}

/** The parts of a valid request to an operation, to fill in. */
export interface RequestForm {
  readonly method: string;
  /** The path template. */
  readonly path: string;
  /** The parameters, and the fields with credentials. Cookies are missing: a page cannot set them. */
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required: boolean;
    /** An example as text; empty if there is none. */
    readonly value: string;
  }[];
  /** Undefined if the operation has no body. */
  readonly body?: { readonly mediaType: string; readonly text: string } | undefined;
}

/** A token that the mock issued. It does not contain the token itself. */
interface ShownToken {
  readonly subject?: string | undefined;
  readonly clientId?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** In ISO 8601; undefined if it does not expire. */
  readonly expiresAt?: string | undefined;
  /** Whether it has expired or was revoked. */
  readonly isExpired: boolean;
}

/** A mocked service. */
export interface Service {
  readonly title: string;
  readonly version: string;
  /** The file or URL of its document. */
  readonly source: string;
  /** The version of Cloche. */
  readonly cloche: string;
  /** The start of the mock, in ISO 8601. */
  readonly startedAt: string;
  readonly store: StoreLocation['kind'];
  readonly operations: readonly {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly kind: string;
    /** The path template of its resource. */
    readonly collection?: string;
    readonly key?: string | undefined;
  }[];
  readonly resources: readonly ServiceResource[];
  /** The names of the webhooks that the document declares. */
  readonly webhooks: readonly string[];
  /** Whether an operation of the document declares callbacks. */
  readonly hasCallbacks: boolean;
  /** The last messages about watched files, and whether callbacks are off. */
  readonly notices: readonly string[];
}

/** Values of a policy, by the ids of their behaviours. */
type ShownValues = Readonly<Record<string, JsonValue>>;

/** The policy of a mock. */
export interface ShownPolicy {
  readonly answers: readonly {
    readonly id: string;
    readonly question: string;
    readonly scope: 'operation' | 'service';
    readonly answer: JsonValue;
    readonly default: JsonValue;
    readonly choices: readonly { readonly answer: JsonValue; readonly label: string }[];
    readonly decidedBy: 'default' | 'policy' | 'document';
    /** Places at which the document specifies it, for all or for some operations. */
    readonly places: readonly {
      readonly pointer: string;
      readonly says: string;
      readonly location?: TextLocation | undefined;
    }[];
  }[];
  /** The values of single operations. */
  readonly operations: Readonly<Record<string, ShownValues>>;
  /** The values among them that can be reset: the rest follows from the document. */
  readonly given: Readonly<Record<string, ShownValues>>;
}

/** A change of a policy; null resets a value, or all values of an operation. */
interface ShownPolicyChange {
  readonly answers?: ShownValues;
  readonly operations?: Readonly<Record<string, ShownValues | null>>;
}

/** A part of the request log. */
export interface RequestPage {
  readonly requests: readonly LoggedRequest[];
  /** The number of requests that newer ones replaced. */
  readonly dropped: number;
  /** The lowest and the highest id of the log, 0 if it is empty. */
  readonly first: number;
  readonly last: number;
}

/** The clock of a mock. */
export interface ShownClock {
  /** In ISO 8601, UTC. */
  readonly now: string;
  readonly frozen: boolean;
}
